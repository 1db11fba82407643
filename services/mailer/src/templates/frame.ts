import type { MailLocale } from "@latchkey/contracts";
import { escapeHtml } from "@latchkey/service-kit";
import type { Wording } from "../languages/wording.ts";

/** Returns the image of the application, if one is configured. Nothing else in a mail is loaded from elsewhere. */
const logoHtml = ({ appName, branding: { logo } }: Wording): string[] =>
  logo === undefined
    ? []
    : [
        `<p><img src="${escapeHtml(logo)}" alt="${escapeHtml(appName)}" height="40" style="height:40px;max-width:100%"></p>`,
      ];

interface FootLink {
  label: string;
  url: string;
}

const footLinks = ({ branding: { termsURL, privacyURL }, say }: Wording): FootLink[] => {
  const terms = termsURL === undefined ? [] : [{ label: say("foot.terms"), url: termsURL }];
  const privacy = privacyURL === undefined ? [] : [{ label: say("foot.privacy"), url: privacyURL }];
  return [...terms, ...privacy];
};

const supportText = ({ branding: { supportAddress }, say }: Wording): string[] =>
  supportAddress === undefined ? [] : [say("foot.support", { address: supportAddress })];

const footText = (wording: Wording): string[] => {
  const links = footLinks(wording).map(({ label, url }) => `${label}\n${url}`);
  const lines = [...supportText(wording), ...links];
  return lines.length === 0 ? [] : ["--", ...lines];
};

const footHtml = (wording: Wording): string[] => {
  const links = footLinks(wording).map(
    ({ label, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`,
  );
  const parts = [...supportText(wording).map(escapeHtml), ...links];
  return parts.length === 0
    ? []
    : [
        `<p style="font-size:.85em;border-top:1px solid #d5d9e0;padding-top:.8em">${parts.join("<br>")}</p>`,
      ];
};

/** A mail without its link or code. */
interface FramedMail {
  subject: string;
  locale: MailLocale;
  text: string;
  html: string;
}

/** Returns a paragraph in small letters. */
export const small = (html: string): string => `<p style="font-size:.85em">${html}</p>`;

/** Builds a mail from its paragraphs, with the head and foot of the application. Those of `html` are elements, already escaped. */
export const framed = (
  wording: Wording,
  { subject, text, html }: { subject: string; text: readonly string[]; html: readonly string[] },
): FramedMail => {
  const { locale, direction } = wording;
  const body = [...logoHtml(wording), ...html, ...footHtml(wording)];
  return {
    subject,
    locale,
    text: `${[...text, ...footText(wording)].join("\n\n")}\n`,
    html: `<!doctype html>
<html lang="${locale}" dir="${direction}"><body dir="${direction}" style="font-family:sans-serif;color:#1c2330;line-height:1.5">
${body.join("\n")}
</body></html>
`,
  };
};
