// EMV 3-D Secure 2: the messages between the 3DS server, the directory server and the ACS as tables, with what reads
// and writes them. Usable alone: no I/O.
export {}
