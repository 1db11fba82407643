import { type BrandColors, type BrandScale, neutrals } from "./colors.ts";
import { escapeHtml } from "./escape-html.ts";
import type { Language } from "./languages.ts";
import { type FootLink, type Themed, themedOf } from "./look.ts";
import { type Branding, fileEnding, isAddress } from "./options/branding.ts";

// The HTML of mails. The mailer sends it, and the admin web previews it.

/** The language and the look of a mail. */
export interface MailLook {
  language: Language;
  direction: "ltr" | "rtl";
  /** The name of the application. */
  appName: string;
  /** The colours that follow from that of the application. */
  colors: BrandColors;
  branding: {
    /** The addresses of the logo on light and on dark pages. */
    logo?: Themed<string> | undefined;
    /** The radius of buttons, in pixels. */
    radius: number;
  };
}

/** Many mail programs show none of these. */
const unshown = new Set([".svg", ".webp"]);

/**
 * Returns the addresses of the logo in mails. Undefined if mails show the name of the application instead. `addressOf` returns the address of
 * a file, which a mail can have only if that of the installation is configured.
 */
export const mailLogo = (
  logo: Branding["logo"],
  addressOf: (file: string, kind: keyof Themed<string>) => string | undefined,
): Themed<string> | undefined => {
  if (logo === undefined) return undefined;
  const sources = themedOf(logo);
  const shown = (kind: keyof Themed<string>): string | undefined => {
    const source = sources[kind];
    if (unshown.has(fileEnding(source))) return undefined;
    return isAddress(source) ? source : addressOf(source, kind);
  };
  const light = shown("light");
  if (light === undefined) return undefined;
  return { light, dark: (sources.dark === sources.light ? undefined : shown("dark")) ?? light };
};

/** Fonts that mail programs have. */
const font =
  "Inter,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

const { light, dark } = neutrals;

const darkRules = (brand: BrandScale): string =>
  [
    `.page{background:${dark[0]}!important}`,
    `.card{background:${dark[1]}!important;border-color:${dark[5]}!important}`,
    `.ink{color:${dark[11]}!important}`,
    `.muted,.muted a{color:${dark[10]}!important}`,
    `.line{border-color:${dark[5]}!important}`,
    `.code{background:${dark[2]}!important;color:${dark[11]}!important}`,
    `.button{background:${brand.solid}!important;color:${brand.on}!important;border-color:${brand.edge}!important}`,
    `.link{color:${brand.text}!important}`,
    ".on-light{display:none!important}.on-dark{display:inline!important}",
  ].join("");

/**
 * The only style sheet of a mail. Programs that drop it show the light card, whose styles are inline. It is short, because it is sent with
 * each mail.
 */
const styleOf = ({ colors }: MailLook): string =>
  `<style>:root{color-scheme:light dark}@media(prefers-color-scheme:dark){${darkRules(colors.dark)}}</style>`;

/** Returns a paragraph. */
export const mailParagraph = (html: string): string =>
  `<p class="ink" style="margin:0 0 16px;color:${light[11]}">${html}</p>`;

/** Returns a paragraph in small letters. */
export const smallMailText = (html: string): string =>
  `<p class="muted" style="margin:0 0 16px;font-size:13px;line-height:18px;color:${light[10]}">${html}</p>`;

/** Returns a link as a button, whose text can be read on any colour. The text and the URL are escaped. */
export const mailButton = (
  { colors, branding }: MailLook,
  { text, url }: { text: string; url: string },
): string => {
  const { solid, on, edge } = colors.light;
  const style =
    `display:block;padding:12px 20px;background:${solid};color:${on};border:1px solid ${edge};border-radius:${branding.radius}px;` +
    "font-weight:600;text-align:center;text-decoration:none";
  return `<p style="margin:24px 0"><a class="button" href="${url}" style="${style}">${text}</a></p>`;
};

/** Returns the address of a link as text, for programs in which a button does not work. Long ones wrap. */
export const mailAddress = ({ colors }: MailLook, url: string): string =>
  `<a class="link" href="${url}" dir="ltr" style="color:${colors.light.text};word-break:break-all;overflow-wrap:anywhere">${url}</a>`;

/** Returns a code in large digits. */
export const mailDigits = ({ branding }: MailLook, code: string): string =>
  `<p class="code" style="margin:24px 0;padding:16px;border-radius:${branding.radius}px;background:${light[2]};color:${light[11]};font-size:28px;line-height:34px;font-weight:600;letter-spacing:.2em;text-align:center" dir="ltr">${code}</p>`;

/** Returns the logo of the application, if one is configured, else its name. Nothing else in a mail is loaded from elsewhere. */
const head = ({ appName, branding: { logo } }: MailLook): string => {
  const name = escapeHtml(appName);
  if (logo === undefined)
    return `<p class="ink" style="margin:0 0 24px;font-size:16px;font-weight:600;color:${light[11]}">${name}</p>`;
  const image = (address: string, kind: string, hidden = ""): string =>
    `<img${kind} src="${escapeHtml(address)}" alt="${name}" height="40" style="height:40px;max-width:100%${hidden}">`;
  const images =
    logo.light === logo.dark
      ? image(logo.light, "")
      : image(logo.light, ' class="on-light"') +
        image(logo.dark, ' class="on-dark"', ";display:none;mso-hide:all");
  return `<p style="margin:0 0 24px">${images}</p>`;
};

/** The foot of a mail. */
export interface MailFoot {
  /** A sentence with the address of the support. */
  support: string | undefined;
  links: readonly FootLink[];
}

const footHtml = ({ support, links }: MailFoot): string[] => {
  const lines = [
    ...(support === undefined ? [] : [escapeHtml(support)]),
    ...links.map(
      ({ label, url }) =>
        `<a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(label)}</a>`,
    ),
  ];
  return lines.length === 0
    ? []
    : [
        `<p class="muted line" style="margin:24px 0 0;border-top:1px solid ${light[5]};padding-top:16px;font-size:13px;line-height:20px;color:${light[10]}">${lines.join("<br>\n")}</p>`,
      ];
};

interface Framed {
  subject: string;
  /** Elements, already escaped. */
  body: readonly string[];
  foot: MailFoot;
}

/** Returns the HTML of a mail: the card of the account web, in tables, because some programs know no other layout. */
export const frameMail = (look: MailLook, { subject, body, foot }: Framed): string => {
  const { language, direction, branding } = look;
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
${styleOf(look)}
</head>
<body dir="${direction}" class="page" style="margin:0;padding:0;background:${light[1]}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:${light[1]}"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px"><tr><td class="card" style="padding:32px 28px;background:${light[0]};border:1px solid ${light[5]};border-radius:${branding.radius * 1.5}px;font-family:${font};font-size:15px;line-height:1.5;color:${light[11]};text-align:start;overflow-wrap:anywhere">
${[head(look), ...body, ...footHtml(foot)].join("\n")}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
};
