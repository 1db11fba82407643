import { exchange, type Received, type Sent } from "../wire/exchange.ts";

/** Results of one kind of request. */
export interface WaveSeen {
  name: string;
  requests: number;
  /** Number of answers by status. */
  answers: Map<number, number>;
  resets: number;
  unanswered: number;
  longestMs: number;
  /** Answers of 503 with Retry-After, the signal for overload. */
  overloaded: number;
  /** Number of accepted requests that may have changed something. */
  accepted: number;
  /** The first faults, each with its request. */
  faults: string[];
  faultCount: number;
}

/** One request and its additional expectations. */
export interface Attack {
  sent: Sent;
  /** Returns a description of the fault, if there is one. */
  check?: (received: Received) => string | undefined;
  /** Runs after the request and before the next one of the same worker. */
  after?: (received: Received) => Promise<void>;
}

export interface Wave {
  name: string;
  count: number;
  concurrency: number;
  next: (index: number) => Attack | Promise<Attack>;
}

const shownFaults = 5;
const shownBytes = 600;

const hasLastByte = ({ rest, ended }: Received): boolean => rest.length === 0 || ended === "reset";

/** Returns the fault of an answer that breaks a rule for all answers. */
const faultOf = (received: Received): string | undefined => {
  const { answers, rest, ended, milliseconds } = received;
  if (ended === "nobody" && answers.length === 0)
    return `neither answered nor ended in ${milliseconds.toFixed(0)} ms`;
  const wrong = answers.find(
    ({ status, head }) => status >= 500 && !(status === 503 && /^retry-after:/im.test(head)),
  );
  if (wrong) return `answered with ${wrong.status}\n${wrong.head}`;
  if (!hasLastByte(received))
    return `bytes that are no answer: ${JSON.stringify(rest.toString("latin1").slice(0, shownBytes))}`;
  return undefined;
};

const show = ({ pieces }: Sent): string =>
  JSON.stringify(Buffer.concat(pieces.slice(0, 3)).toString("latin1").slice(0, shownBytes));

const record = (seen: WaveSeen, { sent, check }: Attack, received: Received): void => {
  seen.requests += 1;
  seen.longestMs = Math.max(seen.longestMs, received.milliseconds);
  if (received.ended === "reset") seen.resets += 1;
  if (received.answers.length === 0) seen.unanswered += 1;
  for (const { status } of received.answers) {
    seen.answers.set(status, (seen.answers.get(status) ?? 0) + 1);
    if (status === 503) seen.overloaded += 1;
    if (status >= 200 && status < 400) seen.accepted += 1;
  }
  const fault = faultOf(received) ?? check?.(received);
  if (fault === undefined) return;
  seen.faultCount += 1;
  if (seen.faults.length < shownFaults)
    seen.faults.push(`${seen.name} ${seen.requests}: ${fault}\n  to ${sent.to}: ${show(sent)}`);
};

/** Sends all requests of a wave, several in parallel. */
export const runWave = async (wave: Wave): Promise<WaveSeen> => {
  const seen: WaveSeen = {
    name: wave.name,
    requests: 0,
    answers: new Map(),
    resets: 0,
    unanswered: 0,
    longestMs: 0,
    overloaded: 0,
    accepted: 0,
    faults: [],
    faultCount: 0,
  };
  let next = 0;
  const drive = async () => {
    while (next < wave.count) {
      const attack = await wave.next(next++);
      const received = await exchange(attack.sent);
      record(seen, attack, received);
      await attack.after?.(received);
    }
  };
  await Promise.all(Array.from({ length: wave.concurrency }, drive));
  return seen;
};

/** Returns a row of the table. */
export const waveRow = (seen: WaveSeen): string[] => {
  const statuses = [...seen.answers].sort(([one], [other]) => one - other);
  return [
    seen.name,
    String(seen.requests),
    statuses.map(([status, count]) => `${status}: ${count}`).join(", "),
    String(seen.unanswered),
    String(seen.resets),
    seen.longestMs.toFixed(0),
    String(seen.faultCount),
  ];
};

export const waveHeadings = [
  "wave",
  "connections",
  "answers",
  "ended without",
  "resets",
  "longest ms",
  "faults",
];
