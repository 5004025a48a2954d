import type { Channel } from '../directory/channel.ts'
import { channelSettings, type EntitySettings } from '../directory/entity-settings.ts'

/** A channel of the test environment without risk rules and routes. */
export const testChannel = (settings: EntitySettings = {}, fields: Partial<Channel> = {}): Channel => ({
  id: 'c',
  merchant: 'm',
  name: 'Tea',
  settings: channelSettings([settings]),
  risk: undefined,
  routes: undefined,
  environment: 'test',
  ...fields,
})
