/** How long a person sees that the page will lead them on. */
const SECONDS = 10

/** Leads a payer who has just paid in this tab back to the seller's shop, unless they stay. */
export function offerReturn(): void {
  const place = document.querySelector<HTMLElement>('[data-return]')
  const line = place?.querySelector<HTMLElement>('[data-returning]')
  const said = line?.querySelector<HTMLElement>('[data-said]')
  const stay = line?.querySelector<HTMLButtonElement>('[data-stay]')
  const url = URL.parse(place?.dataset.return ?? '')
  if (!line || !said || !stay || !url || !/^https?:$/.test(url.protocol)) return
  line.hidden = false
  said.textContent = `You go back to ${url.host} in ${SECONDS} seconds.`
  let left = SECONDS
  const timer = setInterval(() => {
    // Nobody is led away from a page that they do not see.
    if (document.visibilityState !== 'visible') return
    left -= 1
    if (left > 0) return
    clearInterval(timer)
    location.assign(url.href)
  }, 1000)
  const remain = () => {
    clearInterval(timer)
    said.textContent = 'You stay here.'
    stay.hidden = true
  }
  stay.addEventListener('click', remain)
  window.addEventListener('beforeprint', remain)
}
