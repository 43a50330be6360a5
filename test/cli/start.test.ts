import { expect, it } from 'vitest'
import { keys } from '../support/fixture-ids.js'
import { startCli } from './sandramp.js'

it('goes on when nobody reads its log any more', async () => {
  const { child, printed, ended } = startCli(['--port', '0'])
  const url = await printed(/sandramp listening on (\S+)/)
  child.stdout?.destroy()
  const ask = () =>
    fetch(`${url}/onboarding/api/v1/users/all`, { headers: { 'x-api-key': keys.full } })
  for (let request = 0; request < 3; request++) expect((await ask()).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})
