import type { Step, Truth } from "../explain.ts";

export interface Person {
  /** Number of the current password. */
  password: number;
  /** Number of password changes, including changes to the same one. */
  changes: number;
  isBanned: boolean;
  isGone: boolean;
}

export interface Session {
  person: string;
  /** Extended when it is used a day later. */
  isRemembered: boolean;
  renewedAt: number;
}

export interface SessionsState {
  now: number;
  userNames: Record<string, Person>;
  /** Live sessions, and expired ones until the next look. */
  sessions: Record<string, Session>;
  /** Every session ever started, and whether it was remembered. */
  started: Record<string, boolean>;
}

interface By {
  /** The session that makes the call. */
  by: string;
}

export type SessionCall =
  | { kind: "sign-in"; session: string; person: string; password: number; isRemembered: boolean }
  | { kind: "look"; session: string }
  | ({ kind: "revoke"; session: string } & By)
  | ({ kind: "rename" | "revoke-others" | "revoke-all" | "sign-out" } & By)
  | ({
      kind: "change-password";
      session: string;
      from: number;
      to: number;
      endsOthers: boolean;
    } & By)
  | ({ kind: "delete-user"; password: number } & By)
  | { kind: "ban" | "remove" | "revoke-of" | "unban"; person: string };

const day = 86_400_000;
const week = 7 * day;

export const endOf = ({ isRemembered, renewedAt }: Session): number =>
  renewedAt + (isRemembered ? week : day);

/** Whether a session is valid now. */
export const isAlive = (state: SessionsState, name: string): boolean => {
  const session = state.sessions[name];
  return session !== undefined && endOf(session) > state.now;
};

const personOf = ({ sessions, userNames }: SessionsState, session: string): Person | undefined =>
  userNames[sessions[session]?.person ?? ""];

/** Ends the sessions of a user, except one. */
const endAll = ({ sessions }: SessionsState, person: string, except?: string): void => {
  for (const [name, session] of Object.entries(sessions))
    if (session.person === person && name !== except) delete sessions[name];
};

const remove = (state: SessionsState, name: string): void => {
  const person = state.userNames[name];
  if (person) person.isGone = true;
  endAll(state, name);
};

const start = (
  { sessions, started, now }: SessionsState,
  name: string,
  { person, isRemembered }: Pick<Session, "isRemembered" | "person">,
): void => {
  sessions[name] = { person, isRemembered, renewedAt: now };
  started[name] = isRemembered;
};

const done = (reply = "200"): Step => ({ reply });

/** The password is checked first. The result must still hold when the session starts. */
const signIn = (
  state: SessionsState,
  call: Extract<SessionCall, { kind: "sign-in" }>,
  memory: unknown,
): Step => {
  const person = state.userNames[call.person];
  if (memory === undefined) {
    if (!person || person.isGone || person.password !== call.password)
      return done("401 INVALID_EMAIL_OR_PASSWORD");
    return person.isBanned ? done("403 BANNED_USER") : { memory: person.changes };
  }
  if (!person || person.isGone) return done("401 FAILED_TO_CREATE_SESSION");
  if (person.isBanned) return done("403 BANNED_USER");
  if (person.changes !== memory) return done("401 FAILED_TO_CREATE_SESSION");
  start(state, call.session, call);
  return done();
};

/** An admin's action on a user. A ban first prevents sign-ins and then ends the sessions. */
const actOn = (
  state: SessionsState,
  {
    kind,
    person: name,
  }: Extract<SessionCall, { person: string; kind: "ban" | "remove" | "revoke-of" | "unban" }>,
  memory: unknown,
): Step => {
  const person = state.userNames[name];
  if (memory !== undefined || kind === "revoke-of") {
    endAll(state, name);
    return done();
  }
  if (!person || person.isGone) return done(kind === "remove" ? "200" : "404 USER_NOT_FOUND");
  if (kind === "remove") {
    remove(state, name);
    return done();
  }
  person.isBanned = kind === "ban";
  return kind === "ban" ? { memory: "banned" } : done();
};

type Own = Extract<SessionCall, By>;
type CallOf<Kind extends SessionCall["kind"]> = Extract<SessionCall, { kind: Kind }>;

/** The user of a live session, and the data that was read before the change. */
interface Granted {
  who: string;
  /** The session to revoke. */
  found?: string;
  /** Number of password changes when the password was checked. */
  changes?: number;
}

const revoke = (state: SessionsState, call: CallOf<"revoke">, { who, found }: Granted): Step => {
  if (found !== undefined) {
    delete state.sessions[found];
    return done();
  }
  const target = state.sessions[call.session];
  if (!target) return done("400 SESSION_NOT_FOUND");
  if (target.person !== who) return done("401 UNAUTHORIZED");
  return { memory: { who, found: call.session } };
};

const changePassword = (
  state: SessionsState,
  { by, session, to, endsOthers }: CallOf<"change-password">,
  { who, changes }: Granted,
  person: Person,
): Step => {
  if (person.changes !== changes) return done("400 INVALID_PASSWORD");
  if (endsOthers && person.isBanned) return done("403 BANNED_USER");
  person.password = to;
  person.changes += 1;
  if (!endsOthers) return done();
  endAll(state, who);
  start(state, session, { person: who, isRemembered: state.started[by] ?? true });
  return done();
};

/** An action with a password, which is checked first. */
const actByPassword = (
  state: SessionsState,
  call: CallOf<"change-password" | "delete-user">,
  granted: Granted,
): Step => {
  const { who, changes } = granted;
  const person = state.userNames[who];
  if (!person || person.isGone) return done("401 UNAUTHORIZED");
  if (changes === undefined) {
    const entered = call.kind === "delete-user" ? call.password : call.from;
    if (person.password !== entered) return done("400 INVALID_PASSWORD");
    return { memory: { who, changes: person.changes } };
  }
  if (call.kind === "change-password") return changePassword(state, call, granted, person);
  remove(state, who);
  return done();
};

/** The rest of a call by a live session. Its end meanwhile has no effect any more. */
const act = (state: SessionsState, call: Own, granted: Granted): Step => {
  const { who } = granted;
  const person = state.userNames[who];
  switch (call.kind) {
    case "revoke":
      return revoke(state, call, granted);
    case "change-password":
    case "delete-user":
      return actByPassword(state, call, granted);
    case "rename":
      return done(person && !person.isGone ? "200" : "401 UNAUTHORIZED");
    default:
      endAll(state, who, call.kind === "revoke-others" ? call.by : undefined);
      return done();
  }
};

const actOwn = (state: SessionsState, call: Own, memory: unknown): Step => {
  if (call.kind === "sign-out") {
    delete state.sessions[call.by];
    return done();
  }
  if (memory !== undefined) return act(state, call, memory as Granted); // from the previous step
  const session = state.sessions[call.by];
  if (!session || !isAlive(state, call.by) || personOf(state, call.by)?.isBanned)
    return done("401 UNAUTHORIZED");
  return { memory: { who: session.person } };
};

/** The sessions of all users. A call in a session is authenticated first and carried out afterwards. */
export const sessionsTruth: Truth<SessionsState, SessionCall> = {
  step: (state, call, memory) => {
    if (call.kind === "sign-in") return signIn(state, call, memory);
    if (call.kind === "look") {
      const isShown = isAlive(state, call.session) && !personOf(state, call.session)?.isBanned;
      return done(isShown ? "200 alive" : "200 nobody");
    }
    return "by" in call ? actOwn(state, call, memory) : actOn(state, call, memory);
  },
};

/** The effect of a look: sessions are extended once a day, and expired ones are deleted. */
export const settle = (state: SessionsState): void => {
  for (const [name, session] of Object.entries(state.sessions)) {
    if (!isAlive(state, name)) delete state.sessions[name];
    else if (session.isRemembered && session.renewedAt + day <= state.now)
      session.renewedAt = state.now;
  }
};
