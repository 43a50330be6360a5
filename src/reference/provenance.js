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

globalThis.sandrampProvenance = () => ({
  name: 'provenance',
  extensions: [
    label('x-provenance', (provenance) => provenance),
    label('x-assumption', (assumption) => ` (${assumption})`),
  ],
})
