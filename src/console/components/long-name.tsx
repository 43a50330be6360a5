/** Where there is no room, a long name of a machine's goes on in the next line behind an underscore or a point. */
export const LongName = ({ name }: { name: string }) => (
  <>
    {name.split(/(?<=[_.])/).map((part, i) => (
      <>
        {i > 0 ? <wbr /> : null}
        {part}
      </>
    ))}
  </>
)
