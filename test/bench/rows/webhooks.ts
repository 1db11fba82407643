import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createSecretRing, randomToken } from "@latchkey/crypto";
import { createBus } from "@latchkey/service-kit/bus";
import { createLogger } from "@latchkey/service-kit/observe";
import { Client } from "pg";
import { newSecret, sealSecret } from "../../../services/webhooks/src/endpoints/secrets.ts";
import { childEnvironment } from "../../harness/child-environment.ts";
import type { Bench } from "../harness/bench.ts";
import { choosePorts } from "../harness/choose-ports.ts";
import type { Stores } from "../harness/open-stores.ts";
import { type Program, startProgram } from "../harness/program.ts";
import type { Line, Row } from "../harness/row.ts";
import { stackSettings } from "../harness/stack-settings.ts";
import { inTemporaryFolder } from "../harness/temporary-folder.ts";

const script = new URL("../../../services/webhooks/src/main.ts", import.meta.url);

/** A variable separates secrets by commas, so this one has none. */
const secret = "a secret of the row of webhooks";

/** Alternating measurements, of which the medians count, so that other work on the machine affects both sides. */
const turns = 3;
const perSecondMin = 500;
const isolationMax = 2;
const pendingCount = 1_000_000;
const megabytesMax = 250;

/** A receiver in this process. It answers 204, except below `/silent`, where it never answers. */
const startReceiver = async (onEvent: (id: string) => void) => {
  const hanging = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (request.url === "/silent") {
        hanging.add(response);
        return;
      }
      onEvent(String(request.headers["webhook-id"]));
      response.writeHead(204).end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return { url, stop };
};

const insertEndpoint = async (client: Client, url: string, events: string[]): Promise<string> => {
  const id = randomToken(32, "alphanumeric");
  const sealed = sealSecret(createSecretRing([secret]), id, newSecret());
  await client.query(
    `insert into webhooks.endpoint (
      id, url, description, events, contact_email, contact_name, secret_sealed, state, created_by, created_at, updated_at
    ) values ($1, $2, '', $3, '', '', $4, 'active', '', now(), now())`,
    [id, url, events, sealed],
  );
  return id;
};

/** Queues events of as many users for an endpoint, as if they had waited. */
const fill = async (client: Client, endpointId: string, count: number): Promise<void> => {
  const prefix = randomToken(8, "alphanumeric");
  const body = JSON.stringify({ type: "user.updated", data: { text: "x".repeat(400) } });
  await client.query(
    `with stored as (
      insert into webhooks.event (id, type, subject_kind, subject_id, occurred_at, recorded_at, body)
      select $1 || n, 'user.updated', 'user', $1 || n, now(), now(), $2 from generate_series(1, $3::int) as n
      returning id, subject_id
    ), queued as (
      insert into webhooks.delivery (
        id, endpoint_id, event_id, event_type, subject_kind, subject_id, state, attempts, is_replay, created_at
      )
      select id, $4, id, 'user.updated', 'user', subject_id, 'pending', 0, false, now() from stored
    )
    insert into webhooks.lane (endpoint_id, subject, pending, due_at, claim)
    select $4, 'user:' || subject_id, 1, now(), 0 from stored`,
    [prefix, body, count, endpointId],
  );
};

interface Running {
  client: Client;
  program: Program;
  stores: Stores;
}

/** Runs the service alone, as an own process on its own stores. */
const withService = <T>(
  bench: Bench,
  prepare: (client: Client) => Promise<unknown>,
  work: (running: Running) => Promise<T>,
) =>
  bench.withStores((stores) =>
    inTemporaryFolder(async (directory) => {
      const client = new Client({ connectionString: stores.databaseUrl });
      await client.connect();
      try {
        await prepare(client);
        await client.query("analyze");
        const ports = await choosePorts();
        const program = await startProgram({
          script,
          directory,
          environment: {
            ...childEnvironment(),
            ...ports.environment,
            AUTH_SECRET: secret,
            DATABASE_URL: stores.databaseUrl,
            LATCHKEY_CONFIG: "",
          },
          readyUrl: `http://127.0.0.1:${ports.of.webhooks}/health/ready`,
        });
        try {
          return await work({ client, program, stores });
        } finally {
          await program.stop();
        }
      } finally {
        await client.end();
      }
    }),
  );

const untilCount = async (read: () => number, count: number): Promise<void> => {
  while (read() < count) await delay(20);
};

/** Deliveries per second while many wait for a few webhooks of one local receiver. */
const measureThroughput = async (bench: Bench): Promise<Line> => {
  const { roundSeconds, rounds, warmUpSeconds } = bench.options;
  const count = Math.round(roundSeconds * rounds * 1_000);
  // A process that has just started still compiles its code.
  const warmUpCount = Math.round(warmUpSeconds * 1_000);
  let received = 0;
  let beganAt = 0;
  const receiver = await startReceiver(() => {
    received += 1;
    if (received === warmUpCount) beganAt = performance.now();
  });
  try {
    return await withService(
      bench,
      async (client) => {
        for (let n = 0; n < 4; n += 1)
          await fill(
            client,
            await insertEndpoint(client, receiver.url, []),
            (warmUpCount + count) / 4,
          );
      },
      async () => {
        await untilCount(() => received, warmUpCount + count);
        const perSecond = count / ((performance.now() - beganAt) / 1_000);
        return {
          path: "webhooks: deliveries per second to a local receiver",
          ours: `${perSecond.toFixed(0)} /s`,
          floor: "",
          ratio: "",
          budget: `>= ${perSecondMin} /s`,
          met: perSecond >= perSecondMin,
        };
      },
    );
  } finally {
    await receiver.stop();
  }
};

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;

/** The time from the publication of an event to its receipt, at a steady rate, by a warm process. */
const measureLatency = async (bench: Bench, isBeside: boolean): Promise<number> => {
  const sentAt = new Map<string, number>();
  const took: number[] = [];
  const receiver = await startReceiver((id) => {
    const from = sentAt.get(id);
    if (from !== undefined) took.push(performance.now() - from);
  });
  const perSecond = 100;
  const { roundSeconds, rounds, warmUpSeconds } = bench.options;
  const count = Math.round((roundSeconds * rounds * perSecond) / turns);
  const warmUpCount = warmUpSeconds * perSecond;
  try {
    return await withService(
      bench,
      async (client) => {
        await insertEndpoint(client, `${receiver.url}/hooks`, ["user.updated"]);
        if (isBeside)
          await fill(client, await insertEndpoint(client, `${receiver.url}/silent`, []), 10_000);
      },
      async ({ stores }) => {
        const bus = await createBus(
          stackSettings(stores.stackInput("postgres")),
          createLogger({ service: "bench", level: "silent" }),
        );
        const publish = async (isMeasured: boolean) => {
          const id = randomToken(32, "alphanumeric");
          const occurredAt = new Date().toISOString();
          const subject = { kind: "user", id };
          const event = { id, type: "user.updated", version: 1, occurredAt, subject, data: {} };
          const data = JSON.stringify({ previousId: null, events: [event] });
          if (isMeasured) sentAt.set(id, performance.now());
          const message = { id: randomToken(32, "alphanumeric"), name: "events.recorded" };
          await bus.publish("webhooks", [
            {
              ...message,
              data: { id: message.id, name: message.name, version: 1, occurredAt, data },
            },
          ]);
        };
        try {
          for (let n = 0; n < warmUpCount + count; n += 1) {
            await publish(n >= warmUpCount);
            await delay(1_000 / perSecond);
          }
          await untilCount(() => took.length, count);
        } finally {
          await bus.close();
        }
        return percentile(took, 0.99);
      },
    );
  } finally {
    await receiver.stop();
  }
};

const measureIsolation = async (bench: Bench): Promise<Line> => {
  const measured: Record<"alone" | "beside", number[]> = { alone: [], beside: [] };
  for (let n = 0; n < turns; n += 1) {
    measured.alone.push(await measureLatency(bench, false));
    measured.beside.push(await measureLatency(bench, true));
  }
  const alone = percentile(measured.alone, 0.5);
  const beside = percentile(measured.beside, 0.5);
  const ratio = beside / alone;
  return {
    path: "webhooks: p99 of a delivery beside a webhook that never answers",
    ours: `${beside.toFixed(0)} ms`,
    floor: `${alone.toFixed(0)} ms without it`,
    ratio: ratio.toFixed(2),
    budget: `<= ${isolationMax}`,
    met: ratio <= isolationMax,
  };
};

/** The memory of the process while a million deliveries wait and some of them are sent. */
const measureMemory = async (bench: Bench): Promise<Line> => {
  let received = 0;
  const receiver = await startReceiver(() => {
    received += 1;
  });
  try {
    return await withService(
      bench,
      async (client) => fill(client, await insertEndpoint(client, receiver.url, []), pendingCount),
      async ({ program }) => {
        let most = 0;
        const sent = 5_000;
        while (received < sent) {
          most = Math.max(most, (await program.residentMegabytes()) ?? 0);
          await delay(100);
        }
        return {
          path: `webhooks: memory with ${pendingCount.toLocaleString("en")} pending deliveries`,
          ours: `${most.toFixed(0)} MB`,
          floor: "",
          ratio: "",
          budget: `<= ${megabytesMax} MB`,
          met: most <= megabytesMax,
        };
      },
    );
  } finally {
    await receiver.stop();
  }
};

/** Throughput, isolation and memory of the delivery of events. */
export const webhooks: Row = {
  name: "webhooks",
  measure: async (bench) => {
    const lines: Line[] = [];
    for (const measure of [measureThroughput, measureIsolation, measureMemory]) {
      const line = await measure(bench);
      bench.say(`${line.path}: ${line.ours} ${line.floor} ${line.ratio}`.trimEnd());
      lines.push(line);
    }
    return lines;
  },
};
