// A site of two pages that say the same, and one that robots may not read.
const item = (path) => `<item><title>Tea</title><link>https://news.tea.example.co.uk${path}</link></item>`;

export const feed = `<rss version="2.0"><channel><title>Tea</title><link>https://tea.example.co.uk/</link>${["/a", "/b", "/private/c"].map(item).join("")}</channel></rss>`;

const html = (title) =>
  `<h1>${title}</h1><p>Boil fresh water. Ask ada@example.com.</p><h2>Green</h2><p>Wait for 80 °C, then two minutes.</p>`;

export const pages = {
  "https://news.tea.example.co.uk/a": html("How to brew"),
  "https://news.tea.example.co.uk/b": html("How to brew!"),
};

export const robots = "User-agent: *\nDisallow: /private/";
