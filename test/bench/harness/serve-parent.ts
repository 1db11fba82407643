import { writeFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import type { Question, Reply } from "./child.ts";

/** Each handler declares its own input. */
type Handler = (input: never) => unknown;

const startProfile = async (): Promise<Session> => {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  await session.post("Profiler.start");
  return session;
};

const writeProfile = async (session: Session, path: string): Promise<void> => {
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  await writeFile(path, JSON.stringify(profile));
};

const createOwnHandlers = (): Record<string, Handler> => {
  let profiling: Session | undefined;
  return {
    cpuMicroseconds: () => {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    residentMegabytes: () => process.memoryUsage.rss() / 1024 ** 2,
    startProfile: async () => {
      profiling = await startProfile();
    },
    writeProfile: async ({ path }: { path: string }) => {
      if (profiling) await writeProfile(profiling, path);
      profiling = undefined;
    },
  };
};

/** Answers the parent's messages until it disconnects. CPU and profiles are handled here. */
export const serveParent = (handlers: Record<string, Handler>): void => {
  const all = { ...createOwnHandlers(), ...handlers };
  const answer = async ({ id, name, input }: Question): Promise<Reply> => {
    try {
      const handler = all[name];
      if (!handler) throw new TypeError(`no handler ${name}`);
      return { id, result: await handler(input as never) };
    } catch (error) {
      return { id, error: String((error as Error).stack) };
    }
  };
  process.on("message", (question) => {
    void answer(question as Question).then((reply) => process.send?.(reply));
  });
  process.on("disconnect", () => process.exit(0));
};
