import {
  escapeHtml,
  footLinks,
  frameMail,
  mailAddress,
  mailButton,
  mailDigits,
  type MailFoot,
  type MailLocale,
  mailParagraph,
  showEmail,
  smallMailText,
} from "@latchkey/contracts";
import type { MailText } from "@latchkey/i18n/mails.ts";
import type { MessageValues } from "@latchkey/i18n/message.ts";
import type { Wording } from "./wording.ts";

const footOf = ({ branding, language, say }: Wording): MailFoot => {
  const { supportAddress } = branding;
  return {
    support: supportAddress && say("foot.support", { address: showEmail(supportAddress) }),
    links: footLinks(branding, language, {
      terms: say("foot.terms"),
      privacy: say("foot.privacy"),
    }),
  };
};

const footText = ({ support, links }: MailFoot): string[] => {
  const lines = [
    ...(support === undefined ? [] : [support]),
    ...links.map(({ label, url }) => `${label}\n${url}`),
  ];
  return lines.length === 0 ? [] : ["--", ...lines];
};

/** A mail without its link or code. */
interface FramedMail {
  subject: string;
  locale: MailLocale;
  text: string;
  html: string;
}

/** Builds a mail from its paragraphs, with the head and foot of the application. Those of `html` are elements, already escaped. */
const framed = (
  wording: Wording,
  { subject, text, html }: { subject: string; text: readonly string[]; html: readonly string[] },
): FramedMail => {
  const foot = footOf(wording);
  return {
    subject,
    locale: wording.locale,
    text: `${[...text, ...footText(foot)].join("\n\n")}\n`,
    html: frameMail(wording, { subject, body: html, foot }),
  };
};

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

interface NoticeMail {
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
  return framed(wording, {
    subject,
    text,
    html: text.map((one) => mailParagraph(escapeHtml(one))),
  });
};

/** The first parts of the names of texts that make a notice. */
type NoticeTexts = {
  [Name in MailText]: Name extends `${infer Texts}.lead`
    ? `${Texts}.action` extends MailText
      ? never
      : Texts
    : never;
}[MailText];

/** Builds a notice from the texts of these names. `values` are those of its lead. */
export const notice = (
  wording: Wording,
  { texts, name, values }: { texts: NoticeTexts; name: string; values?: MessageValues },
): Mail =>
  noticeMail(wording, {
    subject: wording.say(`${texts}.subject`),
    name,
    lead: wording.say(`${texts}.lead`, values),
    footer: wording.say(`${texts}.footer`),
  });

/** Returns the values of a text that names the expiry of a link, if it is known. */
export const expiryValues = (wording: Wording, expiresAt: string | undefined): MessageValues =>
  expiresAt === undefined
    ? { hasExpiry: "no", time: "" }
    : { hasExpiry: "yes", time: wording.time(expiresAt) };

interface LinkMail {
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

/** Builds a mail with one link, as text and as HTML. */
export const linkMail = (wording: Wording, mail: LinkMail): Mail => {
  const hello = greeting(wording, mail.name);
  const url = escapeHtml(mail.url);
  const fallback = escapeHtml(wording.say("link.fallback"));
  const framedMail = framed(wording, {
    subject: mail.subject,
    text: [hello, mail.lead, mail.url, mail.footer],
    html: [
      mailParagraph(escapeHtml(hello)),
      mailParagraph(escapeHtml(mail.lead)),
      mailButton(wording, { text: escapeHtml(mail.action), url }),
      smallMailText(`${fallback}<br>${mailAddress(wording, url)}`),
      smallMailText(escapeHtml(mail.footer)),
    ],
  });
  return { ...framedMail, link: mail.url };
};

interface CodeMail {
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
      mailParagraph(escapeHtml(hello)),
      mailParagraph(escapeHtml(mail.lead)),
      mailDigits(wording, escapeHtml(code)),
      mailParagraph(escapeHtml(expiry)),
      mailParagraph(escapeHtml(warning)),
      smallMailText(escapeHtml(mail.footer)),
    ],
  });
  return { ...framedMail, code, isDeletedOnceSettled: true };
};
