import type { LanguageCode } from '../languages.ts'
import { ar } from './ar.ts'
import { bg } from './bg.ts'
import { cn } from './cn.ts'
import { cz } from './cz.ts'
import { de } from './de.ts'
import { dk } from './dk.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fi } from './fi.ts'
import { fr } from './fr.ts'
import { gr } from './gr.ts'
import { hu } from './hu.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import { nl } from './nl.ts'
import { no } from './no.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { ro } from './ro.ts'
import { ru } from './ru.ts'
import { se } from './se.ts'
import { sk } from './sk.ts'
import { sl } from './sl.ts'
import { tr } from './tr.ts'
import type { WidgetTexts } from './keys.ts'

/** The texts of the widget and of the pages of the gateway, by language (contract: Endpoints, rule 4). */
export const widgetTexts: Readonly<Record<LanguageCode, WidgetTexts>> = {
  en,
  de,
  fr,
  es,
  it,
  nl,
  dk,
  fi,
  se,
  tr,
  ja,
  sl,
  pt,
  pl,
  cz,
  hu,
  bg,
  ro,
  ru,
  cn,
  gr,
  no,
  sk,
  ar,
  ko,
}
