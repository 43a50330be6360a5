import { nextTick } from './machine-clock.js'

/**
 * Gathers the questions of one turn of the event loop and asks them at once; equal ones share an answer. If `run` lets a
 * round wait, the round takes what is asked meanwhile, too.
 */
export const askTogether = <Question, Answer>(
  keyOf: (question: Question) => string,
  answerAll: (
    questions: ReadonlyMap<string, Question>,
  ) => Promise<Iterable<readonly [key: string, answer: Answer]>>,
  run = <T>(round: () => Promise<T>): Promise<T> => round(),
) => {
  let asked = new Map<string, Question>()
  let answers: Promise<ReadonlyMap<string, Answer>> | undefined
  return async (question: Question): Promise<Answer | undefined> => {
    const key = keyOf(question)
    asked.set(key, question)
    answers ??= run(async () => {
      await new Promise<void>((resolve) => nextTick(resolve))
      const questions = asked
      asked = new Map()
      answers = undefined
      return new Map(await answerAll(questions))
    })
    return (await answers).get(key)
  }
}
