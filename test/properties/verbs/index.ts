import type { CommandName } from '../../../src/domain/world.js'
import { keepingVerbs } from './keeping.js'
import { moneyVerbs } from './money.js'
import { peopleVerbs } from './people.js'
import { settingVerbs } from './setting.js'

/** Every command of a world, and how histories ask for it. A command without a verb does not compile. */
export const verbs = {
  ...settingVerbs,
  ...peopleVerbs,
  ...moneyVerbs,
  ...keepingVerbs,
} satisfies Readonly<Record<CommandName, unknown>>
