import { Brand } from '../components/brand.js'
import { Head } from '../components/layout.js'
import { visible } from '../visible.js'

export const WRONG_TOKEN = 'This is not the control token.'

/** What a browser sees that has not shown the control token yet. */
export const SignInPage = ({ back, wrong }: { back: string; wrong: boolean }) => (
  <html lang="en">
    <Head title="Control token" />
    <body class="bare">
      <header class="banner">
        <Brand />
      </header>
      <main id="main">
        <h1>Control token</h1>
        <p>
          This sandbox asks for the token that it was started with. It is printed at the start when
          it was made by the sandbox itself.
        </p>
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
            Go on
          </button>
        </form>
      </main>
    </body>
  </html>
)

/** What a browser sees that may not come in at all, or for which there is nothing. */
export const ClosedPage = ({ title, message }: { title: string; message: string }) => (
  <html lang="en">
    <Head title={title} />
    <body class="bare">
      <header class="banner">
        <Brand />
      </header>
      <main id="main">
        <h1>{title}</h1>
        <p>{visible(message)}</p>
      </main>
    </body>
  </html>
)
