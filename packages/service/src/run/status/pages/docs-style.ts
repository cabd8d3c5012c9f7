/** The style of the reference page. Both color schemes keep text at a contrast of 4.5 or more. */
export const DOCS_STYLE = `
:root{color-scheme:light dark;--ground:#fff;--panel:#f6f7f9;--line:#e1e4ea;--text:#1a1d24;--soft:#596070;--link:#1d4ed8;--get:#0a6b4b;--post:#1d4ed8;--patch:#92500a;--delete:#b3261e}
@media(prefers-color-scheme:dark){:root{--ground:#101318;--panel:#181c23;--line:#2a303b;--text:#e6e9ef;--soft:#9aa3b2;--link:#8ab4ff;--get:#5fd3a6;--post:#8ab4ff;--patch:#f0b266;--delete:#ff8f87}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;display:grid;grid-template-columns:19rem minmax(0,1fr)}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,pre:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
code,pre{font:.86em/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--ground);padding:.5rem 1rem;z-index:1}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;border-right:1px solid var(--line);background:var(--panel);padding:1.5rem 1rem 3rem}
nav .brand{margin:0 .5rem 1rem;font-size:1.2rem;font-weight:700}
nav .brand a,nav h2 a{color:inherit;text-decoration:none}
#list,nav label{display:none}
nav h2{margin:1.4rem .5rem .3rem;font-size:.75rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
nav ul{list-style:none;margin:0;padding:0}
nav li a{display:flex;gap:.5rem;align-items:baseline;padding:.2rem .5rem;border-radius:6px;color:var(--text);text-decoration:none;font-size:.84rem;overflow-wrap:anywhere}
nav li a:hover{background:var(--line)}
.method{display:inline-block;min-width:3.7em;font:700 .7rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;text-transform:uppercase}
.get{color:var(--get)}.post{color:var(--post)}.patch{color:var(--patch)}.delete{color:var(--delete)}
main{padding:2.5rem clamp(1rem,4vw,4rem) 6rem;max-width:86rem}
h1{margin:0 0 .5rem;font-size:2rem;line-height:1.2}
.group>h2{margin:3.5rem 0 0;padding-bottom:.5rem;font-size:1.5rem;border-bottom:1px solid var(--line)}
.intro h2{margin:2rem 0 .5rem;font-size:1.15rem}
article,.intro{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,28rem);gap:2.5rem;padding:2rem 0;border-bottom:1px solid var(--line)}
article:target h3 a{text-decoration:underline;text-decoration-thickness:3px;text-underline-offset:4px}
h3{margin:0;font-size:1.15rem;line-height:1.35}
h3 a{color:inherit;text-decoration:none}
h3 a:hover{text-decoration:underline}
h4{margin:1.2rem 0 .3rem;font-size:.75rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
p{margin:.6rem 0}
.call code{overflow-wrap:anywhere}
.meta,.type{color:var(--soft)}
.meta{font-size:.88rem}
.type{font-size:.84rem}
.required{font-size:.75rem;font-weight:600;color:var(--patch)}
p code,dd code,td code{padding:.1em .3em;border-radius:4px;background:var(--panel);border:1px solid var(--line)}
dl{margin:0}
dl>div{padding:.5rem 0;border-top:1px solid var(--line)}
dt{overflow-wrap:anywhere}
dd{margin:0;color:var(--soft);font-size:.92rem}
details{margin-top:1rem}
details.inner{margin-top:.3rem}
details.inner dl{margin-left:1rem}
summary{cursor:pointer;font-size:.9rem;color:var(--link);width:fit-content}
table{border-collapse:collapse;margin-top:.5rem;font-size:.9rem;width:100%}
th,td{padding:.4rem .75rem .4rem 0;border-top:1px solid var(--line);text-align:left;vertical-align:top}
td code{display:inline-block;margin:.1rem 0;overflow-wrap:anywhere}
.code{position:sticky;top:1rem;align-self:start;min-width:0}
.intro h3{margin:1.2rem 0 .3rem;font-size:.75rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
.code h3:first-child,.code h4:first-child{margin-top:0}
pre{margin:0;padding:.9rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere;overflow:auto;max-height:32rem;background:var(--panel);border:1px solid var(--line);border-radius:8px}
@media(max-width:75rem){article,.intro{grid-template-columns:minmax(0,1fr);gap:1rem}.code{position:static}}
@media(max-width:52rem){body{grid-template-columns:minmax(0,1fr)}nav{position:static;height:auto;padding-bottom:1rem;border-right:0;border-bottom:1px solid var(--line)}#list,nav label{display:inline-block;vertical-align:middle;margin:.6rem 0 0 .5rem}.list{display:none}#list:checked~.list{display:block}}
@media print{nav{display:none}body{display:block}}
`
