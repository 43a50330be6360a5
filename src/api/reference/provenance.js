// Scalar renders a component of ours for an extension of a field. It brings its own Vue and lets
// none of it out, so these render plain text and then mark the element that it landed in.
const label = (extension, textOf) => ({
  name: extension,
  component: {
    inheritAttrs: false,
    render() {
      return textOf(this.$attrs[extension])
    },
    mounted() {
      const value = this.$attrs[extension]
      this.$el.parentElement.classList.add('provenance', `${extension}-${value}`)
    },
  },
})

const create = (tag, text, ...children) => {
  const element = document.createElement(tag)
  element.append(text, ...children)
  return element
}

const createQuestion = (id) => {
  const { risk, question } = globalThis.sandrampQuestions[id]
  const link = create('a', id)
  link.href = `/questions?open=${id}`
  return create('li', link, ` (${risk} risk): ${question}`)
}

// Scalar renders extensions of an operation above its fields, so the list is appended after its answers.
const questions = {
  name: 'x-assumptions',
  component: {
    inheritAttrs: false,
    render: () => '',
    mounted() {
      const ids = this.$attrs['x-assumptions']
      const operation = this.$el.parentElement.parentElement
      const list = create('ul', '', ...ids.map(createQuestion))
      this.details = create('details', create('summary', `Open questions (${ids.length})`), list)
      this.details.className = 'questions'
      this.requests = create('a', 'Requests in the console')
      const name = operation.closest('section').querySelector('.badge').textContent
      this.requests.href = `/?text=${name}`
      operation.append(this.details, this.requests)
    },
    unmounted() {
      this.details.remove()
      this.requests.remove()
    },
  },
}

globalThis.sandrampProvenance = () => ({
  name: 'provenance',
  extensions: [
    label('x-provenance', (provenance) => provenance),
    label('x-assumption', (assumption) => ` (${assumption})`),
    questions,
  ],
})
