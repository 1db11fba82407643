import type { Side, Subject, View } from "../check-model.ts";
import { type ModelSystem, replicaCount } from "../system.ts";
import { signUpAt, signUpAdmin, type Somebody, staySignedIn } from "../users.ts";
import { createDriver } from "./driver.ts";
import { firstOf, userNames, picked, type Picked } from "./picked.ts";
import { isAlive, type SessionCall, type SessionsState, sessionsTruth, settle } from "./truth.ts";

const start = (): SessionsState => ({
  now: 0,
  userNames: Object.fromEntries(
    userNames.map((person) => [
      person,
      { password: 0, changes: 0, isBanned: false, isGone: false },
    ]),
  ),
  sessions: Object.fromEntries(
    userNames.map((person) => [firstOf(person), { person, isRemembered: true, renewedAt: 0 }]),
  ),
  started: Object.fromEntries(userNames.map((person) => [firstOf(person), true])),
});

/** Returns which sessions are accepted, by every path. A cached session does not outlive its session. */
const view = (state: SessionsState, heard: readonly number[]): View => {
  const started = Object.keys(state.started).toSorted();
  const living = started.filter((name) => isAlive(state, name));
  const shown = (times: number) =>
    Object.fromEntries(
      started.map((name) => [name, Array.from({ length: times }, () => living.includes(name))]),
    );
  return {
    now: {
      alive: living,
      toHeard: shown(heard.length),
      lists: userNames.map((person) =>
        living.filter((name) => state.sessions[name]?.person === person),
      ),
    },
    soon: shown(replicaCount),
  };
};

/** The model of sessions. `onCopy` is called for each answer from a cached session alone. */
export const createSessions = (
  onCopy: () => void,
): Subject<SessionsState, Picked, SessionCall> => ({
  name: "sessions",
  truth: sessionsTruth,
  start,
  picked,
  atOnceMax: 4,
  view,
  settle,
  open: async (system: ModelSystem): Promise<Side<Picked, SessionCall>> => {
    const admin = await signUpAdmin(system);
    const somebody = new Map<string, Somebody>();
    for (const person of userNames) somebody.set(person, await signUpAt(system));
    const driver = await createDriver({ system, userNames: somebody, admin, onCopy });
    return { ...driver, stay: () => staySignedIn(system, admin) };
  },
});
