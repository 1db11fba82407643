/** The members of a user that name them. */
export interface NamedUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

type FindUsers = (ids: readonly string[]) => Promise<readonly NamedUser[]>;

interface Waiting {
  readonly id: string;
  resolve(user: NamedUser | null): void;
  reject(error: unknown): void;
}

/** As many ids as an operation takes, and as a URL can hold if they are long. */
const idsMax = 100;
const lettersMax = 8_000;

const partsOf = (ids: readonly string[]): string[][] => {
  const parts: string[][] = [];
  let letters = 0;
  for (const id of ids) {
    const last = parts.at(-1);
    letters += id.length;
    if (last && last.length < idsMax && letters <= lettersMax) last.push(id);
    else {
      parts.push([id]);
      letters = id.length;
    }
  }
  return parts;
};

/**
 * Creates a look-up of users by id. The look-ups of one turn of the event loop, such as those of all rows of a page, share one
 * request. Returns null for a deleted user.
 */
export const createUserLookUp = (find: FindUsers): ((id: string) => Promise<NamedUser | null>) => {
  let waiting: Waiting[] = [];
  const settle = async (ids: readonly string[], those: readonly Waiting[]): Promise<void> => {
    try {
      const found = new Map((await find(ids)).map((user) => [user.id, user]));
      for (const { id, resolve } of those) resolve(found.get(id) ?? null);
    } catch (error) {
      for (const { reject } of those) reject(error);
    }
  };
  const run = (): void => {
    const all = waiting;
    waiting = [];
    for (const ids of partsOf([...new Set(all.map(({ id }) => id))])) {
      const asked = new Set(ids);
      void settle(
        ids,
        all.filter(({ id }) => asked.has(id)),
      );
    }
  };
  return (id) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(run, 0);
      waiting.push({ id, resolve, reject });
    });
};
