/** Texts of every kind that a prompt is made of, the same in every run: no file that somebody may change. */

function generator(seed: number) {
  let state = seed;
  return (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

const below = generator(23);
const times = (count: number, make: (index: number) => string, between = "") =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);
const from = (characters: string) => [...characters][below([...characters].length)] ?? "";
const between = (first: number, count: number) => String.fromCodePoint(first + below(count));
const bytes = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));

/** Article 1 of the Universal Declaration of Human Rights, in the words of the United Nations. */
const DECLARATION = {
  english:
    "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood. ",
  german:
    "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen. ",
  french:
    "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité. ",
  finnish:
    "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä. ",
  swahili:
    "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa. Wote wamejaliwa akili na dhamiri, hivyo yapasa watendeane kindugu.",
  indonesian:
    "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. Mereka dikaruniai akal dan hati nurani dan hendaknya bergaul satu sama lain dalam semangat persaudaraan.",
  zulu: "Bonke abantu bazalwa bekhululekile belingana ngesithunzi nangamalungelo. Bahlanganiswe wumcabango nangunembeza futhi kufanele baphathane ngomoya wobunye.",
  russian:
    "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства. ",
  arabic:
    "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء. ",
  hindi:
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए। ",
  chinese: "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
  japanese:
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。",
  korean:
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다. ",
};

const CODE = `export async function fetchAll(urls: string[], { retries = 3, timeoutMs = 5_000 } = {}): Promise<Response[]> {
  const results: Response[] = [];
  for (const [index, url] of urls.entries()) {
    for (let attempt = 0; attempt <= retries; attempt++) {
      try {
        results[index] = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
        break;
      } catch (error) {
        if (attempt === retries) throw new Error(\`could not fetch \${url}\`, { cause: error });
      }
    }
  }
  return results.filter(Boolean);
}

def mean(values):
    """The arithmetic mean; None where there are no values."""
    return sum(values) / len(values) if values else None

SELECT c.name, COUNT(*) AS orders FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.name;
`;

const day = () => `2026-0${1 + below(9)}-${10 + below(18)}`;

export const TEXTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(DECLARATION).map(([language, text]) => [language, text.repeat(4)])),
  capitals: DECLARATION.english.toUpperCase().repeat(3),
  code: CODE.repeat(2),
  csv: times(150, (row) => `${row},${day()},${below(10_000_000) / 100},USD,${below(180_000) / 1000 - 90}`, "\n"),
  "csv of digits": times(300, () => times(5, () => String(below(10)), ","), "\n"),
  "csv of numbers": times(200, () => `${below(1_000_000_000)};${below(1_000_000)};0.${below(1_000_000)}`, "\n"),
  json: JSON.stringify(
    Array.from({ length: 60 }, (_, id) => ({
      id,
      email: `user${id}@example.com`,
      balance: below(1e6),
      tags: ["a", "b"],
    })),
  ),
  "json with blanks": JSON.stringify(
    Array.from({ length: 30 }, (_, id) => ({ id, address: { city: "Ulm", zip: String(below(90_000)) }, active: true })),
    null,
    2,
  ),
  base64: bytes(2000).toString("base64"),
  "base64 of addresses": bytes(2000).toString("base64url"),
  hex: bytes(1500).toString("hex"),
  "hex in capitals": bytes(1500).toString("hex").toUpperCase(),
  uuids: times(
    60,
    () =>
      bytes(16)
        .toString("hex")
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
    "\n",
  ),
  addresses: times(50, (row) => `https://example.com/path/${row}?q=${bytes(6).toString("hex")}&utm_source=x`, "\n"),
  digits: times(3000, () => String(below(10))),
  "digits and blanks": times(1000, () => String(below(10)), " "),
  "numbers and blanks": times(600, () => String(below(1_000_000)), " "),
  emoji: "😀😂🥲😎🤖👍🏽👩‍👩‍👧‍👦🇩🇪❤️✨🎉🚀🦊🍕⚽️🏳️‍🌈🧑🏿‍💻".repeat(8),
  "any emoji": times(400, () => between(0x1f300, 700)),
  "any Han": times(1000, () => between(0x4e00, 3000)),
  "any Hangul": times(1000, () => between(0xac00, 11_172)),
  "any kana": times(1000, () => between(0x3041, 86)),
  "noise of ASCII": times(3000, () => between(33, 94)),
  "noise of letters": times(3000, () => from("abcdefghijklmnopqrstuvwxyz ")),
  "noise of capitals": times(3000, () => from("ABCDEFGHIJKLMNOPQRSTUVWXYZ ")),
  "noise of marks": times(2000, () => from("!@#$%^&*()_+-=[]{};':\",./<>?|\\`~")),
  "noise of Unicode": times(1500, () => between(0x80, 0x2000)),
  "control characters": times(1500, () => between(0, 128)),
  "lines and blanks": "a\n\n  b   c\n      d\t\t".repeat(100),
  "only blanks": " ".repeat(2000),
  "only lines": "\n".repeat(1000),
  "one letter": "a".repeat(2000),
};
