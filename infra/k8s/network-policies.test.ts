import { expect, test } from "vitest";
import { collect, isSelected, type LabelSelector, podsOf } from "./manifests.fixture.ts";

interface Peer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: { cidr: string; except: string[] };
}

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { protocol: string; port: number | string }[];
}

interface Policy {
  podSelector: LabelSelector;
  policyTypes: ("Ingress" | "Egress")[];
  ingress?: Rule[];
  egress?: Rule[];
}

/** A pod that opens or accepts connections. */
interface Party {
  name: string;
  namespace: string;
  labels: Record<string, string>;
  ports: Record<string, number>;
}

const { manifests } = collect("overlays/example");
const migration = collect("overlays/example/migrate").manifests;
const policies = manifests
  .filter(({ kind }) => kind === "NetworkPolicy")
  .map(({ spec }) => spec as unknown as Policy); // manifests.test.ts validates the file

const ours: Party[] = [...manifests, ...migration.filter(({ kind }) => kind === "Job")].flatMap(
  (owner) => {
    const pods = podsOf(owner);
    const [container] = pods?.spec.containers ?? [];
    if (!pods || !container) return [];
    const ports = (container.ports ?? []).map(({ name, containerPort }) => [name, containerPort]);
    return [
      {
        name: container.name,
        namespace: "latchkey",
        labels: pods.metadata.labels,
        ports: Object.fromEntries(ports) as Record<string, number>,
      },
    ];
  },
);

const stranger = (name: string, namespace: string, labels: Record<string, string> = {}): Party => ({
  name,
  namespace,
  labels,
  ports: {},
});

const strangers = [
  stranger("ingress controller", "ingress-nginx"),
  stranger("pod of elsewhere", "shop"),
  stranger("verifier of keys", "shop", { "latchkey.io/verifies-keys": "true" }),
  stranger("collector of metrics", "monitoring", { "latchkey.io/collects-metrics": "true" }),
  stranger("unlabelled pod beside", "latchkey"),
];

/** The labels of a namespace. The operator labels the one of the ingress controller. */
const labelsOf = (namespace: string): Record<string, string> => ({
  "kubernetes.io/metadata.name": namespace,
  ...(namespace === "ingress-nginx" ? { "latchkey.io/ingress": "true" } : {}),
});

const isPeer = ({ podSelector, namespaceSelector, ipBlock }: Peer, party: Party): boolean => {
  // Pods have private addresses, which the blocks exclude.
  if (ipBlock) return false;
  const isThere = namespaceSelector
    ? isSelected(namespaceSelector, labelsOf(party.namespace))
    : party.namespace === "latchkey";
  return isThere && isSelected(podSelector ?? {}, party.labels);
};

const hasPort = ({ ports }: Rule, party: Party, port: number): boolean =>
  !ports ||
  ports.some(
    (each) => (typeof each.port === "number" ? each.port : party.ports[each.port]) === port,
  );

/** Whether the policies of one end admit the other end. A pod that no policy selects is not restricted. */
const lets = (
  type: "Ingress" | "Egress",
  { subject, other, to }: { subject: Party; other: Party; to: Party },
  port: number,
): boolean => {
  if (subject.namespace !== "latchkey") return true;
  const own = policies.filter(
    ({ podSelector, policyTypes }) =>
      policyTypes.includes(type) && isSelected(podSelector, subject.labels),
  );
  if (own.length === 0) return true;
  return own
    .flatMap((policy) => (type === "Ingress" ? policy.ingress : policy.egress) ?? [])
    .some((rule) => {
      const peers = type === "Ingress" ? rule.from : rule.to;
      return hasPort(rule, to, port) && (!peers || peers.some((peer) => isPeer(peer, other)));
    });
};

const reaches = (from: Party, to: Party, port: number): boolean =>
  lets("Egress", { subject: from, other: to, to }, port) &&
  lets("Ingress", { subject: to, other: from, to }, port);

/** The ports of our pods that a party reaches. */
const reachable = (from: Party): string[] =>
  ours
    .filter((to) => to !== from)
    .flatMap((to) =>
      Object.values(to.ports)
        .filter((port) => reaches(from, to, port))
        .map((port) => `${to.name}:${port}`),
    )
    .toSorted();

test("every pod reaches only the services that it calls", () => {
  const graph = Object.fromEntries(ours.map((from) => [from.name, reachable(from)]));
  expect(graph).toEqual({
    gateway: [
      "apikey:3003",
      "identity:3001",
      "mailer:3004",
      "oauth:3008",
      "organization:3002",
      "webhooks:3006",
    ],
    identity: [],
    organization: ["identity:3001"],
    apikey: ["identity:3001", "organization:3002"],
    mailer: ["identity:3001"],
    webhooks: ["identity:3001", "organization:3002"],
    oauth: ["identity:3001"],
    migrate: [],
    backup: [],
    "audit-verify": [],
  });
});

test("only the ingress controller and labelled pods reach our pods from outside", () => {
  const graph = Object.fromEntries(strangers.map((from) => [from.name, reachable(from)]));
  expect(graph).toEqual({
    "ingress controller": ["gateway:3000"],
    "pod of elsewhere": [],
    "verifier of keys": ["apikey:3003"],
    "collector of metrics": [
      "apikey:3003",
      "gateway:3005",
      "identity:3001",
      "mailer:3004",
      "oauth:3008",
      "organization:3002",
      "webhooks:3006",
    ],
    "unlabelled pod beside": [],
  });
});

const elsewhere = (port: number): Party => ({
  ...stranger("somewhere", "elsewhere"),
  ports: { any: port },
});
const leaves = (from: Party, ports: readonly number[]) =>
  ports.filter((port) => {
    const to = elsewhere(port);
    return lets("Egress", { subject: from, other: to, to }, port);
  });

test("only our pods reach stores, and only the mailer reaches mail servers", () => {
  const ports = [22, 25, 80, 443, 465, 587, 3001, 4318, 5432, 6379, 6432, 8080];
  const stores = [4318, 5432, 6379, 6432];
  for (const party of ours)
    expect(leaves(party, ports), party.name).toEqual(
      party.name === "mailer"
        ? [25, 465, 587, ...stores].toSorted((one, other) => one - other)
        : stores,
    );
  expect(leaves(stranger("unlabelled pod beside", "latchkey"), ports)).toEqual([]);
});

/** A forged address of a provider must not lead into the internal network (SSRF). */
test("only the gateway, identity and webhooks reach the public network, without private addresses", () => {
  const blocks = policies.flatMap(({ podSelector, egress = [] }) =>
    egress.flatMap(({ to = [], ports }) =>
      to.flatMap(({ ipBlock }) =>
        ipBlock
          ? [{ who: podSelector.matchLabels?.["app.kubernetes.io/component"], ipBlock, ports }]
          : [],
      ),
    ),
  );
  expect(blocks.map(({ who }) => who)).toEqual([
    "gateway",
    "gateway",
    "identity",
    "identity",
    "webhooks",
    "webhooks",
  ]);
  for (const { ipBlock, ports } of blocks) {
    expect(ports).toEqual([{ protocol: "TCP", port: 443 }]);
    expect(ipBlock.except).toEqual(
      expect.arrayContaining(
        ipBlock.cidr.includes(":")
          ? ["fc00::/7", "fe80::/10"]
          : ["10.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"],
      ),
    );
  }
});

test("every pod reaches the name servers of the cluster", () => {
  const servers = {
    ...stranger("dns", "kube-system", { "k8s-app": "kube-dns" }),
    ports: { dns: 53 },
  };
  for (const party of ours) expect(reaches(party, servers, 53), party.name).toBe(true);
});
