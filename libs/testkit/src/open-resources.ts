const watched = new Set([
  "TCPSocketWrap",
  "TCPServerWrap",
  "PipeWrap",
  "PipeServerWrap",
  "ProcessWrap",
  "Timeout",
]);
const workers = new Set<object>();

// Node lists no workers among its resources, but announces each one.
process.on("worker", (worker) => {
  workers.add(worker);
  worker.once("exit", () => workers.delete(worker));
});

/**
 * Counts the resources that keep this process alive, by Node's name of their kind: connections, servers, child processes, timers and
 * workers. Unreferenced ones do not count, except workers.
 */
export function openResources(): Map<string, number> {
  const counts = new Map([["Worker", workers.size]]);
  for (const kind of process.getActiveResourcesInfo()) {
    if (watched.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
