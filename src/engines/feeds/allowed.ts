/**
 * HTML that feeds may have: elements, attributes and styles that run nothing and fetch nothing but pictures and sound. The
 * lists are those of feedparser (BSD-2-Clause, (C) 2010-2025 Kurt McKee, 2002-2008 Mark Pilgrim), without SVG and MathML.
 */
import { once } from "../../lib/lazy.js";

const ELEMENTS =
  "a abbr acronym address area article aside audio b big blockquote br button canvas caption center cite code col " +
  "colgroup command datagrid datalist dd del details dfn dialog dir div dl dt em event-source fieldset figcaption " +
  "figure font footer form h1 h2 h3 h4 h5 h6 header hr i img input ins kbd keygen label legend li m map menu meter " +
  "multicol nav nextid noscript ol optgroup option output p pre progress q rp rt ruby s samp section select small sound " +
  "source spacer span strike strong sub sup table tbody td textarea tfoot th thead time tr tt u ul var video";
const ATTRIBUTES =
  "abbr accept accept-charset accesskey action align alt autocomplete autofocus axis background balance bgcolor " +
  "bgproperties border bordercolor bordercolordark bordercolorlight bottompadding cellpadding cellspacing ch challenge " +
  "char charoff charset checked choff cite class clear color cols colspan compact contenteditable controls coords data " +
  "datafld datapagesize datasrc datetime default delay dir disabled draggable dynsrc enctype end face for form frame " +
  "galleryimg gutter headers height hidden hidefocus high href hreflang hspace icon id inputmode ismap keytype label " +
  "lang leftspacing list longdesc loop loopcount loopend loopstart low lowsrc max maxlength media method min multiple " +
  "name nohref noshade nowrap open optimum pattern ping point-size poster pqg preload prompt radiogroup readonly rel " +
  "repeat-max repeat-min replace required rev rightspacing rows rowspan rules scope selected shape size span src start " +
  "step style summary suppress tabindex target template title toppadding type unselectable urn usemap valign value " +
  "variable volume vrml vspace width wrap xml:lang";
const PROPERTIES =
  "azimuth background-color border-bottom-color border-collapse border-color border-left-color border-right-color " +
  "border-top-color clear color cursor direction display elevation float font font-family font-size font-style " +
  "font-variant font-weight height letter-spacing line-height overflow pause pause-after pause-before pitch pitch-range " +
  "richness speak speak-header speak-numeral speak-punctuation speech-rate stress text-align text-decoration " +
  "text-indent unicode-bidi vertical-align voice-family volume white-space width";
/** Words of values whose property begins with background, border, margin or padding. */
const KEYWORDS =
  "!important aqua auto black block blue bold both bottom brown center collapse dashed dotted fuchsia gray green italic " +
  "left lime maroon medium navy none normal nowrap olive pointer purple red right silver solid teal top transparent " +
  "underline white yellow";

const setOf = (words: string) => once(() => new Set(words.split(" ")));

export const elements = setOf(ELEMENTS);
export const attributes = setOf(ATTRIBUTES);
export const properties = setOf(PROPERTIES);
export const keywords = setOf(KEYWORDS);

/** Elements without an end. */
export const isVoid = (name: string): boolean =>
  /^(?:area|base|basefont|br|col|command|embed|frame|hr|img|input|isindex|keygen|link|meta|param|source|track|wbr)$/.test(
    name,
  );

/** Attributes that hold an address. */
export const isAddress = (name: string): boolean =>
  /^(?:action|background|cite|data|datasrc|dynsrc|formaction|href|icon|longdesc|lowsrc|ping|poster|src|template|urn|usemap|vrml)$/.test(
    name,
  );

/** Attributes that a reader resolves against the address of the page, by element. */
export const isRelative = (element: string, attribute: string): boolean =>
  /^(?:a href|area href|audio src|blockquote cite|del cite|form action|img longdesc|img src|img usemap|input src|input usemap|ins cite|q cite|source src|video poster|video src)$/.test(
    `${element} ${attribute}`,
  );
