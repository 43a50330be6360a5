import * as z from 'zod'
import { assumptionIds, readingNames } from '../../assumptions/ids.js'
import { shortText, strict } from '../../lib/yaml/strict.js'
import { readYamlFile } from '../yaml-file.js'

const accepted = strict({
  id: z.enum(assumptionIds, 'the id of an assumption, such as payout.repeat'),
  reading: shortText,
  reason: shortText,
  date: z.iso.date('a date such as 2026-05-04'),
}).superRefine(({ id, reading }, { addIssue }) => {
  const names = readingNames(id)
  if (!names.includes(reading))
    addIssue({ code: 'custom', path: ['reading'], message: names.join(', ') })
})

/** A reading under which a command is known to fail. */
export type AcceptedReading = z.output<typeof accepted>

const LIST = 'a list of { id, reading, reason, date }'

export const readAccepted = (file: string): readonly AcceptedReading[] =>
  readYamlFile(file, 'accepted readings, as a file in YAML or JSON', z.array(accepted, LIST))
