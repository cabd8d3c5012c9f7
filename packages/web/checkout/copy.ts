/**
 * Copies a text; false where the browser lets no page copy. Pages over plain HTTP from another host than this machine have no
 * `navigator.clipboard`: there the text is selected in a field beside the button, and copied as by a person.
 */
export async function copyText(text: string, button: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error
    return copySelected(text, button)
  }
}

/** Within the button's own dialog, since an open dialog keeps the focus. */
function copySelected(text: string, button: Element): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.tabIndex = -1
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const focused = document.activeElement
  button.after(field)
  try {
    field.select()
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
