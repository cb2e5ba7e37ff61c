/** Pages that try to get out of a browser, or to keep it busy. `loopback` and `lan` are origins where somebody listens. */

export interface Origins {
  /** On 127.0.0.1: `https://127.0.0.1:port`. */
  loopback: string;
  /** On this machine's own address in its network. */
  lan: string;
}

export interface AttackPage {
  id: string;
  why: string;
  html(origins: Origins): string;
  headers?(origins: Origins): Record<string, string>;
  /** Whether a browser that nothing keeps in would really connect, which is checked too. */
  reaches?: true;
}

const script = (code: string) => `<!doctype html><p>page</p><script>${code}</script>`;
const udp = (origin: string) => origin.replace("https://", "");

export const ATTACK_PAGES: readonly AttackPage[] = [
  { id: "image", why: "a picture", html: ({ loopback }) => `<img src="${loopback}/image">`, reaches: true },
  {
    id: "image-set",
    why: "candidates of a picture",
    html: ({ lan }) => `<img srcset="${lan}/1x 1x, ${lan}/2x 2x" src="${lan}/x">`,
    reaches: true,
  },
  { id: "plain-http", why: "http from https", html: ({ loopback }) => `<img src="http://${udp(loopback)}/image">` },
  {
    id: "background",
    why: "a style's picture",
    html: ({ loopback }) => `<body style="background:url(${loopback}/background)">`,
    reaches: true,
  },
  {
    id: "font",
    why: "a web font",
    html: ({ loopback }) =>
      `<style>@font-face{font-family:f;src:url(${loopback}/font.woff2)}body{font-family:f}</style>text`,
    reaches: true,
  },
  { id: "file-frame", why: "a local file in a frame", html: () => `<iframe src="file:///etc/passwd"></iframe>` },
  {
    id: "object",
    why: "plug-in elements",
    html: ({ loopback }) => `<object data="${loopback}/object"></object><embed src="${loopback}/embed">`,
    reaches: true,
  },
  {
    id: "media",
    why: "video, its poster, and its subtitles",
    html: ({ loopback }) =>
      `<video src="${loopback}/video.mp4" poster="${loopback}/poster" autoplay><track default src="${loopback}/t.vtt"></video>`,
    reaches: true,
  },
  {
    id: "module",
    why: "a module",
    html: ({ lan }) => `<script type="module">import("${lan}/m.js")</script>`,
    reaches: true,
  },
  {
    id: "preload",
    why: "what is loaded ahead",
    html: ({ loopback, lan }) =>
      `<link rel="preload" as="fetch" href="${loopback}/p"><link rel="prefetch" href="${lan}/q"><link rel="modulepreload" href="${lan}/r"><link rel="preconnect" href="${loopback}"><link rel="dns-prefetch" href="${loopback}">`,
    reaches: true,
  },
  {
    id: "refresh",
    why: "navigation by markup",
    html: ({ loopback }) => `<meta http-equiv="refresh" content="0;url=${loopback}/refresh">`,
    reaches: true,
  },
  { id: "location", why: "navigation by script", html: ({ lan }) => script(`location.href="${lan}/"`), reaches: true },
  { id: "window", why: "a window's first request", html: ({ loopback }) => script(`open("${loopback}/window")`) },
  {
    id: "link-window",
    why: "a window by a clicked link",
    html: ({ loopback }) =>
      `<a id="a" target="_blank" href="${loopback}/link">link</a><form id="f" target="_blank" action="${loopback}/form"></form>${script("a.click();f.submit()")}`,
  },
  {
    id: "fetch",
    why: "a fetch without CORS",
    html: ({ loopback }) => script(`fetch("${loopback}/fetch",{mode:"no-cors"})`),
    reaches: true,
  },
  {
    id: "beacon",
    why: "a beacon, which outlives its page",
    html: ({ lan }) =>
      script(
        `navigator.sendBeacon("${lan}/beacon","x");addEventListener("pagehide",()=>navigator.sendBeacon("${lan}/late","x"))`,
      ),
    reaches: true,
  },
  {
    id: "events",
    why: "server-sent events",
    html: ({ loopback }) => script(`new EventSource("${loopback}/events")`),
    reaches: true,
  },
  {
    id: "websocket",
    why: "web sockets, in the clear and not",
    html: ({ loopback }) => script(`for(const s of ["wss","ws"])try{new WebSocket(s+"://${udp(loopback)}/")}catch{}`),
    reaches: true,
  },
  {
    id: "webrtc",
    why: "STUN and TURN, which no HTTP proxy carries",
    html: ({ loopback, lan }) =>
      script(
        `const p=new RTCPeerConnection({iceServers:[{urls:["stun:${udp(lan)}","stun:${udp(loopback)}"]},{urls:["turn:${udp(loopback)}?transport=tcp","turn:${udp(lan)}?transport=tcp"],username:"a",credential:"b"}]});p.createDataChannel("x");p.createOffer().then(o=>p.setLocalDescription(o));setTimeout(()=>0,1500)`,
      ),
  },
  {
    id: "webtransport",
    why: "WebTransport, which is QUIC over UDP",
    html: ({ loopback, lan }) =>
      script(`for(const o of ["${loopback}","${lan}"])try{new WebTransport(o+"/").ready.catch(()=>{})}catch{}`),
  },
  {
    id: "shared-worker",
    why: "a request of a shared worker",
    html: ({ loopback }) =>
      script(`new SharedWorker(URL.createObjectURL(new Blob(['fetch("${loopback}/shared",{mode:"no-cors"})'])))`),
    reaches: true,
  },
  {
    id: "worker",
    why: "a request of a worker",
    html: ({ lan }) => script(`new Worker(URL.createObjectURL(new Blob(['importScripts("${lan}/w.js")'])))`),
    reaches: true,
  },
  {
    id: "service-worker",
    why: "a service worker, which would see later requests",
    html: ({ loopback }) =>
      script(`navigator.serviceWorker.register("/sw.js?to=${loopback}").then(()=>fetch("/poll?registered"),()=>{})`),
  },
  {
    id: "redirecting-frame",
    why: "a frame that is redirected",
    html: ({ loopback }) => `<iframe src="/redirect?to=${encodeURIComponent(`${loopback}/frame`)}"></iframe>`,
    reaches: true,
  },
  {
    id: "rebinding",
    why: "a name that was public when it was asked for first",
    html: () =>
      script(`const ask=()=>fetch("https://rebind.example/",{mode:"no-cors"}).catch(()=>{});ask().then(ask).then(ask)`),
  },
  {
    id: "policy-report",
    why: "a report on the page's own policy",
    html: () => `<img src="/logo.svg">`,
    headers: ({ loopback }) => ({
      "content-security-policy-report-only": `default-src 'none'; report-uri ${loopback}/csp`,
    }),
    reaches: true,
  },
  {
    id: "error-report",
    why: "a report on network errors",
    html: () => `<img src="/gone">`,
    headers: ({ loopback }) => ({
      "report-to": JSON.stringify({ group: "g", max_age: 9999, endpoints: [{ url: `${loopback}/nel` }] }),
      nel: JSON.stringify({ report_to: "g", max_age: 9999, success_fraction: 1, failure_fraction: 1 }),
    }),
  },
  { id: "dialogs", why: "endless dialogs", html: () => script("for(;;)alert(1)") },
  {
    id: "unload-dialog",
    why: "a dialog against its end",
    html: () => script("onbeforeunload=e=>{e.preventDefault();return 1}"),
  },
  { id: "print", why: "a print dialog", html: () => script("print()") },
  { id: "spin", why: "an endless loop", html: () => script("for(;;);") },
  { id: "tall", why: "a page of twenty million pixels", html: () => `<div style="height:20000000px">tall</div>` },
  { id: "windows", why: "a flood of windows", html: () => script(`setInterval(()=>open("about:blank"),1)`) },
  {
    id: "schemes",
    why: "internal and external protocols",
    html: () =>
      `<iframe src="intent://x"></iframe><iframe src="chrome://settings"></iframe><iframe src="view-source:file:///etc/passwd"></iframe>${script('location.href="chrome://version"')}`,
  },
  {
    id: "permissions",
    why: "prompts for permissions",
    html: () =>
      script(
        "navigator.geolocation.getCurrentPosition(()=>{});navigator.mediaDevices?.getUserMedia({video:true}).catch(()=>{});Notification?.requestPermission()",
      ),
  },
  { id: "never-idle", why: "requests without end", html: () => script(`setInterval(()=>fetch("/poll"),100)`) },
  {
    id: "download",
    why: "a download by script",
    html: () => `<a id="d" download="x.txt" href="/logo.svg">d</a>${script("d.click()")}`,
  },
  {
    id: "memory",
    why: "all the memory there is",
    html: () => script("const a=[];for(;;)a.push(new Array(1e6).fill(a.length))"),
  },
];
