import {
  type BrandScale,
  fontFace,
  isAddress,
  type Look,
  neutrals,
  plainBackgroundStyle,
  type Themed,
} from "@latchkey/contracts";
import { createHash } from "node:crypto";

/** The look of the pages that the gateway serves itself, and the policy that it needs. */
export interface PageLook {
  /** The name of the application. */
  name: string;
  /** The addresses of its logo. */
  logo: Themed<string> | undefined;
  style: string;
  /** Allows this style and the logo, no scripts and no frames. Forms post only to `formAction`. */
  policy: (formAction: string) => string;
}

type Neutrals = (typeof neutrals)["light" | "dark"];

/** The colours of one theme, by the names that the style uses. */
const colors = (scale: Neutrals, brand: BrandScale, [canvas, surface]: [string, string]): string =>
  `--canvas:${canvas};--surface:${surface};--sunken:${scale[2]};--line:${scale[5]};` +
  `--muted:${scale[10]};--ink:${scale[11]};--solid:${brand.solid};--hover:${brand.hover};` +
  `--on:${brand.on};--edge:${brand.edge};--link:${brand.text}`;

/** The same card and button as in the account web, without its build. */
const layout =
  "*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;" +
  "background:var(--canvas);color:var(--ink);font:15px/1.5 Inter,ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}" +
  "main{width:100%;max-width:25rem;padding:32px 28px;text-align:center;background:var(--surface);" +
  "border:1px solid var(--line);border-radius:var(--radius-card);box-shadow:0 4px 16px -2px #14171d1f,0 2px 4px -2px #14171d14;overflow-wrap:anywhere}" +
  "[data-part=brand]{margin:0 0 24px;font-weight:600;font-size:16px}[data-part=brand] img{display:block;margin:auto;height:40px;max-width:100%;object-fit:contain}" +
  "h1{margin:0 0 8px;font-size:20px;line-height:28px;font-weight:600;letter-spacing:-.017em;text-wrap:balance}" +
  "p{margin:0 0 16px;color:var(--muted);text-wrap:pretty}p:last-child{margin-bottom:0}main [data-part=brand]{color:var(--ink)}strong{color:var(--ink);font-weight:600}" +
  "ul{margin:0 0 16px;padding-inline-start:1.25rem;text-align:start}form{margin-top:24px}" +
  "code{padding:2px 6px;border-radius:6px;background:var(--sunken);color:var(--ink);font-size:13px}" +
  "a{color:var(--link);font-weight:500;text-underline-offset:2px}" +
  "button{width:100%;min-height:44px;padding:8px 16px;font:inherit;font-weight:500;color:var(--on);background:var(--solid);" +
  "border:1px solid var(--edge);border-radius:var(--radius);cursor:pointer}button:hover{background:var(--hover)}" +
  ":focus-visible{outline:2px solid var(--link);outline-offset:2px}" +
  ".danger,.danger:hover{color:#fff;background:#c42b20;border-color:#c42b20}";

const fontOf = (look: Look): string => {
  const face = fontFace(look);
  return face ? `${face.rule}body{font-family:${face.family},sans-serif}` : "";
};

const styleOf = (look: Look, ownStyle: string): string => {
  const { light, dark } = look.colors;
  const [bright, dim] = [neutrals.light, neutrals.dark];
  const radii = `--radius:${look.radius}px;--radius-card:${look.radius * 1.5}px`;
  return (
    `:root{color-scheme:light dark;${radii};${colors(bright, light, [bright[1], bright[0]])}}` +
    `@media(prefers-color-scheme:dark){:root{${colors(dim, dark, [dim[0], dim[1]])}}}` +
    layout +
    fontOf(look) +
    plainBackgroundStyle(look) +
    ownStyle
  );
};

const imageAddresses = ({ logo, favicon, background }: Look): string[] =>
  [logo?.light, logo?.dark, favicon, background?.light.image, background?.dark.image].flatMap(
    (text) => (text === undefined ? [] : [text.replace(/^url\("(.*)"\)$/, "$1")]),
  );

/** Returns the origins elsewhere from which a page with this look loads images. Those of the gateway itself have paths. */
export const imageOrigins = (look: Look): string[] => {
  const addresses = imageAddresses(look).filter(isAddress);
  return [...new Set(addresses.map((text) => new URL(text).origin))];
};

/** Returns a look for plain pages. `ownStyle` is the style sheet of the installation. */
export const pageLook = (look: Look, ownStyle = ""): PageLook => {
  const style = styleOf(look, ownStyle);
  const hash = createHash("sha256").update(style).digest("base64");
  const images = [
    ...(imageAddresses(look).some((address) => address.startsWith("/")) ? ["'self'"] : []),
    ...imageOrigins(look),
  ];
  const policy = (formAction: string): string =>
    [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      ...(images.length > 0 ? [`img-src ${images.join(" ")}`] : []),
      ...(typeof look.font === "object" ? ["font-src 'self'"] : []),
      "base-uri 'none'",
      `form-action ${formAction}`,
      "frame-ancestors 'none'",
    ].join("; ");
  return { name: look.name, logo: look.logo, style, policy };
};
