import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

/** The server's answers to a recipient and to the end of a mail. Undefined: none until `release`. */
export interface SmtpScript {
  onRecipient?: (address: string) => string;
  onMail?: (recipient: string) => string | undefined;
}

export interface ScriptedSmtp {
  url: string;
  /** Recipients of the mails that were accepted or are held, in order of arrival. */
  seen: string[];
  /** Answers every held mail. */
  release(answer: string): void;
  stop(): Promise<void>;
}

const accepted = "250 Taken";

/** Handles one SMTP connection, without extensions. */
const serveDialog = (
  socket: Socket,
  script: SmtpScript,
  onSeen: (recipient: string, say: (answer: string) => void) => string | undefined,
): void => {
  const say = (answer: string) => void socket.write(`${answer}\r\n`);
  let recipient = "";
  let inMail = false;
  const answerTo = (line: string): string | undefined => {
    if (inMail) {
      if (line !== ".") return undefined;
      inMail = false;
      return onSeen(recipient, say);
    }
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "RCPT") {
      recipient = /<([^>]*)>/.exec(line)?.[1] ?? "";
      return script.onRecipient?.(recipient) ?? accepted;
    }
    if (verb === "DATA") {
      inMail = true;
      return "354 Go on";
    }
    return verb === "QUIT" ? "221 Bye" : accepted;
  };
  socket.on("error", () => undefined); // a killed mailer resets it
  createInterface({ input: socket }).on("line", (line) => {
    const answer = answerTo(line);
    if (answer !== undefined) say(answer);
  });
  say("220 Ready");
};

/** Starts an SMTP server with scripted answers, such as one that hangs or rejects some recipients. */
export const startScriptedSmtp = async (script: SmtpScript): Promise<ScriptedSmtp> => {
  const seen: string[] = [];
  const pending: ((answer: string) => void)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    serveDialog(socket, script, (recipient, say) => {
      seen.push(recipient);
      const answer = script.onMail ? script.onMail(recipient) : accepted;
      if (answer === undefined) pending.push(say);
      return answer;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The system gave no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    seen,
    release: (answer) => {
      for (const say of pending.splice(0)) say(answer);
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};
