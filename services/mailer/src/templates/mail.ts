import { escapeHtml } from "@latchkey/service-kit";

/** A mail without its addresses. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
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

/** Returns a time in UTC as text. The formatter is created at the first use, because it loads 5 MB of locale data. */
export const timeText = (time: string): string => {
  const text = new Date(time).toLocaleString("en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${text} UTC`;
};

const greeting = (name: string): string => {
  const safe = safePersonName(name);
  return safe === undefined ? "Hello," : `Hello ${safe},`;
};

const page = (body: readonly string[]): string => `<!doctype html>
<html lang="en"><body style="font-family:sans-serif;color:#1c2330;line-height:1.5">
${body.join("\n")}
</body></html>
`;

const small = (html: string): string => `<p style="font-size:.85em">${html}</p>`;

export interface NoticeMail {
  subject: string;
  name: string;
  /** A sentence that states the event. */
  lead: string;
  /** Advice in case the reader did not do it. */
  footer: string;
}

/** Builds a mail that only informs. */
export const noticeMail = ({ subject, name, lead, footer }: NoticeMail): Mail => {
  const hello = greeting(name);
  return {
    subject,
    text: `${hello}\n\n${lead}\n\n${footer}\n`,
    html: page([hello, lead, footer].map((text) => `<p>${escapeHtml(text)}</p>`)),
  };
};

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

/** Builds a mail with one link, as text and as HTML without images and style sheets. */
export const linkMail = (mail: LinkMail): Mail => {
  const hello = greeting(mail.name);
  const url = escapeHtml(mail.url);
  return {
    subject: mail.subject,
    link: mail.url,
    text: `${hello}\n\n${mail.lead}\n\n${mail.url}\n\n${mail.footer}\n`,
    html: page([
      `<p>${escapeHtml(hello)}</p>`,
      `<p>${escapeHtml(mail.lead)}</p>`,
      `<p><a href="${url}" style="display:inline-block;padding:.6em 1.2em;background:#1d4ed8;color:#fff;text-decoration:none;border-radius:.3em">${escapeHtml(mail.action)}</a></p>`,
      small(`If the button does not work, open this address:<br><a href="${url}">${url}</a>`),
      small(escapeHtml(mail.footer)),
    ]),
  };
};

export interface CodeMail {
  subject: string;
  name: string;
  appName: string;
  /** A sentence that states the code's purpose. */
  lead: string;
  code: string;
  expiresAt: string;
  /** Advice in case the reader did not request it. */
  footer: string;
}

/** Builds a mail with a code. The subject has no code, because notifications and lists of mails show subjects. */
export const codeMail = (mail: CodeMail): Mail => {
  const { appName, code, expiresAt } = mail;
  const hello = greeting(mail.name);
  const expiry = `The code expires on ${timeText(expiresAt)} and works once.`;
  const warning = `Nobody at ${appName} will ask you for this code. Give it to nobody.`;
  return {
    subject: mail.subject,
    code,
    isDeletedOnceSettled: true,
    text: `${[hello, mail.lead, code, expiry, warning, mail.footer].join("\n\n")}\n`,
    html: page([
      `<p>${escapeHtml(hello)}</p>`,
      `<p>${escapeHtml(mail.lead)}</p>`,
      `<p style="font-size:1.8em;font-weight:bold;letter-spacing:.15em">${escapeHtml(code)}</p>`,
      `<p>${escapeHtml(expiry)}</p>`,
      `<p>${escapeHtml(warning)}</p>`,
      small(escapeHtml(mail.footer)),
    ]),
  };
};
