import type { MailLocale } from "@latchkey/contracts";
import { escapeHtml } from "@latchkey/service-kit";
import type { TextName } from "../languages/en.ts";
import type { TextValues, Wording } from "../languages/wording.ts";
import { framed, small } from "./frame.ts";

/** A mail without its addresses. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  /** The language. Absent in mails of earlier versions. */
  locale?: MailLocale;
  /** The mail's link, if it has one. */
  link?: string;
  /** The mail's code, if it has one. */
  code?: string;
  /** Whether the content is deleted once the mail is settled, because its link or code opens an account. */
  isDeletedOnceSettled?: boolean;
}

const nameLengthMax = 64;

/** Letters of any script, and the punctuation of names. */
const personShape = /^[\p{L}\p{M}\p{N} .'’-]+$/u;
const labelShape = /^[\p{L}\p{M}\p{N} .,'’&()+-]+$/u;
/** A dot before several letters may be read as a host name, and a run of digits as a telephone number. */
const lure = /\.[^ .]{2}|\p{N}{4}|(?:\p{N}[ -]*){6}/u;

const safeName = (shape: RegExp, name: string): string | undefined => {
  const plain = name.trim();
  const isName = plain.length <= nameLengthMax && shape.test(plain) && !lure.test(plain);
  return isName ? plain : undefined;
};

/**
 * Returns a trimmed name, or undefined if it could carry a message or a link. It was entered at sign-up, possibly with somebody
 * else's address.
 */
export const safePersonName = (name: string): string | undefined => safeName(personShape, name);

/** The same for the name of an organization or a passkey. The creator of an organization can send its name to any address. */
export const safeLabel = (name: string): string | undefined => safeName(labelShape, name);

const greeting = ({ say }: Wording, name: string): string => {
  const safe = safePersonName(name);
  return safe === undefined ? say("greeting.plain") : say("greeting.named", { name: safe });
};

export interface NoticeMail {
  subject: string;
  name: string;
  /** A sentence that states the event. */
  lead: string;
  /** Advice in case the reader did not do it. */
  footer: string;
}

/** Builds a mail that only informs. */
export const noticeMail = (wording: Wording, { subject, name, lead, footer }: NoticeMail): Mail => {
  const hello = greeting(wording, name);
  const text = [hello, lead, footer];
  return framed(wording, { subject, text, html: text.map((one) => `<p>${escapeHtml(one)}</p>`) });
};

/** The first parts of the names of texts that make a notice. */
type NoticeTexts = {
  [Name in TextName]: Name extends `${infer Texts}.lead`
    ? `${Texts}.action` extends TextName
      ? never
      : Texts
    : never;
}[TextName];

/** Builds a notice from the texts of these names. `values` are those of its lead. */
export const notice = (
  wording: Wording,
  { texts, name, values }: { texts: NoticeTexts; name: string; values?: TextValues },
): Mail =>
  noticeMail(wording, {
    subject: wording.say(`${texts}.subject`),
    name,
    lead: wording.say(`${texts}.lead`, values),
    footer: wording.say(`${texts}.footer`),
  });

/** Returns the values of a text that names the expiry of a link, if it is known. */
export const expiryValues = (wording: Wording, expiresAt: string | undefined): TextValues =>
  expiresAt === undefined
    ? { hasExpiry: "no", time: "" }
    : { hasExpiry: "yes", time: wording.time(expiresAt) };

export interface LinkMail {
  subject: string;
  name: string;
  /** A sentence that states the link's effect. */
  lead: string;
  /** The text of the link. */
  action: string;
  url: string;
  /** Advice in case the reader did not request it. */
  footer: string;
}

/** Builds a mail with one link, as text and as HTML without style sheets. */
export const linkMail = (wording: Wording, mail: LinkMail): Mail => {
  const hello = greeting(wording, mail.name);
  const url = escapeHtml(mail.url);
  const fallback = escapeHtml(wording.say("link.fallback"));
  const framedMail = framed(wording, {
    subject: mail.subject,
    text: [hello, mail.lead, mail.url, mail.footer],
    html: [
      `<p>${escapeHtml(hello)}</p>`,
      `<p>${escapeHtml(mail.lead)}</p>`,
      `<p><a href="${url}" style="display:inline-block;padding:.6em 1.2em;background:${wording.branding.color};color:#fff;text-decoration:none;border-radius:.3em">${escapeHtml(mail.action)}</a></p>`,
      small(`${fallback}<br><a href="${url}" dir="ltr">${url}</a>`),
      small(escapeHtml(mail.footer)),
    ],
  });
  return { ...framedMail, link: mail.url };
};

export interface CodeMail {
  subject: string;
  name: string;
  /** A sentence that states the code's purpose. */
  lead: string;
  code: string;
  expiresAt: string;
  /** Advice in case the reader did not request it. */
  footer: string;
}

/** Builds a mail with a code. The subject has no code, because notifications and lists of mails show subjects. */
export const codeMail = (wording: Wording, mail: CodeMail): Mail => {
  const { code, expiresAt } = mail;
  const { say, time } = wording;
  const hello = greeting(wording, mail.name);
  const expiry = say("code.expiry", { time: time(expiresAt) });
  const warning = say("code.warning");
  const framedMail = framed(wording, {
    subject: mail.subject,
    text: [hello, mail.lead, code, expiry, warning, mail.footer],
    html: [
      `<p>${escapeHtml(hello)}</p>`,
      `<p>${escapeHtml(mail.lead)}</p>`,
      `<p style="font-size:1.8em;font-weight:bold;letter-spacing:.15em">${escapeHtml(code)}</p>`,
      `<p>${escapeHtml(expiry)}</p>`,
      `<p>${escapeHtml(warning)}</p>`,
      small(escapeHtml(mail.footer)),
    ],
  });
  return { ...framedMail, code, isDeletedOnceSettled: true };
};
