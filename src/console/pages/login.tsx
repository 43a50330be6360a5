import { Brand } from '../components/brand.js'
import { escapeBidi } from '../format.js'
import { Head } from '../layout.js'

export const WRONG_TOKEN = 'Wrong control token.'

/** For browsers without a session. */
export const SignInPage = ({ back, wrong }: { back: string; wrong: boolean }) => (
  <html lang="en">
    <Head title="Control token" />
    <body class="bare">
      <header class="banner">
        <Brand />
      </header>
      <main id="main">
        <h1>Control token</h1>
        <p>Enter the control token of this sandbox. A generated token is printed at start.</p>
        {wrong ? (
          <p id="wrong" class="notice error" role="alert">
            {WRONG_TOKEN}
          </p>
        ) : null}
        <form method="post" action="/console/token" class="stacked">
          <input type="hidden" name="back" value={back} />
          <label class="field">
            <span>Token</span>
            <input
              type="password"
              name="token"
              required
              autocomplete="current-password"
              autofocus
              aria-invalid={wrong ? 'true' : undefined}
              aria-describedby={wrong ? 'wrong' : undefined}
            />
          </label>
          <button type="submit" class="main">
            Sign in
          </button>
        </form>
      </main>
    </body>
  </html>
)

/** An error page without navigation, for browsers that may not see the console. */
export const ClosedPage = ({ title, message }: { title: string; message: string }) => (
  <html lang="en">
    <Head title={title} />
    <body class="bare">
      <header class="banner">
        <Brand />
      </header>
      <main id="main">
        <h1>{title}</h1>
        <p>{escapeBidi(message)}</p>
      </main>
    </body>
  </html>
)
