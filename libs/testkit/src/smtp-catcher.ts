import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { until } from "./until.ts";

/** `to` and `from` are the addresses of the envelope. Absent parts are empty. `links` are the URLs of both bodies, each once. */
export type CaughtMail = {
  to: string[];
  from: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  links: string[];
};

/** The reply to recipients: accepted, 451 or 550. */
export type RefusalMode = "none" | "temporary" | "permanent";

export type SmtpCatcher = {
  url: string;
  port: number;
  /** In order of arrival. Empty it in place (`mails.length = 0`) to reset it. */
  mails: CaughtMail[];
  /** Resolves with the first mail, already caught or future, to this address or accepted by the predicate. */
  waitForMail(
    wanted: string | ((mail: CaughtMail) => boolean),
    options?: { timeoutMs?: number },
  ): Promise<CaughtMail>;
  /** Applies to every recipient, or only to this address. */
  refuse(mode: RefusalMode, recipient?: string): void;
  stop(): Promise<void>;
};

export type SmtpCatcherOptions = {
  port?: number;
  /** The certificate of the server, if it uses TLS. */
  tls?: { key: string; cert: string };
};

/** Starts an SMTP server on 127.0.0.1 that accepts any user and password, and clients that send none. */
export async function startSmtpCatcher({
  port = 0,
  tls,
}: SmtpCatcherOptions = {}): Promise<SmtpCatcher> {
  const mails: CaughtMail[] = [];
  let refused: { mode: RefusalMode; recipient: string | undefined } = {
    mode: "none",
    recipient: undefined,
  };
  const server = new SMTPServer({
    ...(tls && { secure: true, ...tls }),
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? "anybody" }),
    onRcptTo: ({ address }, _session, done) =>
      done(refusal([undefined, address].includes(refused.recipient) ? refused.mode : "none")),
    onData: (stream, session, done) => {
      readMail(stream, session).then((mail) => {
        mails.push(mail);
        done();
      }, done);
    },
  });
  // Without a listener, the error event of a client that drops its connection would fail the test.
  server.on("error", () => undefined);
  const socket = server.listen(port, "127.0.0.1");
  await once(socket, "listening");
  const address = socket.address();
  const actualPort = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `${tls ? "smtps" : "smtp"}://127.0.0.1:${actualPort}`,
    port: actualPort,
    mails,
    waitForMail(wanted, options = {}) {
      const accepts =
        typeof wanted === "string" ? (mail: CaughtMail) => isTo(mail, wanted) : wanted;
      const describe = `a mail ${typeof wanted === "string" ? `to ${wanted}` : "that matches"}`;
      return until(() => mails.find(accepts), { ...options, describe });
    },
    refuse: (mode, recipient) => {
      refused = { mode, recipient };
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function refusal(mode: RefusalMode): Error | null {
  if (mode === "none") return null;
  const responseCode = mode === "temporary" ? 451 : 550;
  return Object.assign(new Error(mode === "temporary" ? "Try again later" : "No such mailbox"), {
    responseCode,
  });
}

async function readMail(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<CaughtMail> {
  const {
    subject = "",
    text = "",
    html = "",
    messageId = "",
  } = await PostalMime.parse(await buffer(stream));
  const { mailFrom, rcptTo } = session.envelope;
  return {
    to: rcptTo.map(({ address }) => address),
    from: mailFrom ? mailFrom.address : "",
    subject,
    text: text.trim(),
    html: html.trim(),
    messageId,
    links: [...new Set([...linksOfText(text), ...linksOfHtml(html)])],
  };
}

function linksOfText(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"']+/g)].map(([link]) =>
    link.replace(/[.,;:!?)\]]+$/, ""),
  );
}

function linksOfHtml(html: string): string[] {
  const targets = [...html.matchAll(/href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(
    ([, double, single]) => double ?? single ?? "",
  );
  return targets.map(decodeEntities).filter((target) => /^https?:/.test(target));
}

/** The entities that an HTML escaper writes in attributes. */
function decodeEntities(value: string): string {
  const named: Record<string, string> = { amp: "&", quot: '"', apos: "'", lt: "<", gt: ">" };
  return value.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole;
      return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
    },
  );
}

function isTo(mail: CaughtMail, address: string): boolean {
  return mail.to.some((recipient) => recipient.toLowerCase() === address.toLowerCase());
}
