const CLOSED =
  /(<section class="VPSidebarItem level-0 collapsible) collapsed( has-active"[\s\S]*?aria-expanded=)"false"/

/** Opens the group of the page where it is rendered: opened by its script only, it would move the groups below it. */
export const openActive = (html: string): string => html.replace(CLOSED, '$1$2"true"')
