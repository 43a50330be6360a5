import type * as z from 'zod'
import { FileError, readText } from '../lib/read-file.js'
import { formatYamlIssues } from '../lib/yaml/issues.js'
import { issueLines, readYaml } from '../lib/yaml/read.js'

const MAX_FILE = 1_000_000
const MAX_PROBLEMS = 5

/** Reads a file in YAML or JSON; throws with line and column of each problem. */
export const readYamlFile = <T>(file: string, form: string, schema: z.ZodType<T>): T => {
  const yaml = readYaml(readText(file, form), file, MAX_FILE, (message) => new FileError(message))
  const result = schema.safeParse(yaml.data)
  if (result.success) return result.data
  const problems = formatYamlIssues(result.error.issues, yaml.data)
  throw new FileError(issueLines(yaml, problems, MAX_PROBLEMS))
}
