import type { Somebody } from "../users.ts";

/** Maps names of the model to ids of the system. */
export interface Names {
  add(name: string, id: string): void;
  /** Adds another id with the same name. */
  addAlias(name: string, id: string): void;
  idOf(name: string): string;
  nameOf(id: string): string;
  isKnown(id: string): boolean;
  /** Returns the name that is `which` before the last one, modulo the length. Undefined if there is none. */
  last(which: number): string | undefined;
}

const createNames = (): Names => {
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  return {
    add: (name, id) => {
      ids.set(name, id);
      names.set(id, name);
    },
    addAlias: (name, id) => names.set(id, name),
    isKnown: (id) => names.has(id),
    idOf: (name) => ids.get(name) ?? "none",
    nameOf: (id) => names.get(id) ?? `unknown ${id}`,
    last: (which) => [...ids.keys()].at(-1 - (which % Math.max(ids.size, 1))),
  };
};

/** All names of a run. */
export const createIds = (somebody: ReadonlyMap<string, Somebody>) => {
  const persons = createNames();
  for (const [person, { id }] of somebody) persons.add(person, id);
  return {
    persons,
    organizations: createNames(),
    invitations: createNames(),
    members: createNames(),
    teams: createNames(),
    emailOf: (person: string): string => somebody.get(person)?.email ?? "",
    personOf: (email: string): string =>
      [...somebody].find(([, one]) => one.email === email)?.[0] ?? `unknown ${email}`,
    cookieOf: (person: string) => ({ cookie: somebody.get(person)?.cookie ?? "" }),
  };
};
export type Ids = ReturnType<typeof createIds>;
