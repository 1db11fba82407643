import { runLoad } from "../harness/load.ts";
import { plainRequest } from "../harness/requests.ts";
import { serveParent } from "../harness/serve-parent.ts";

// Requests that keep processes busy. They come from a process of their own, so that they do not delay the load that is measured.

export interface Filler {
  urls: readonly string[];
  path: string;
  /** For each of the addresses. */
  connections: number;
  seconds: number;
}

serveParent({
  fill: async ({ urls, path, connections, seconds }: Filler) => {
    const request = plainRequest(path);
    const load = {
      connections,
      next: () => request,
      accepts: ({ status }: { status: number }) => status === 200,
    };
    await Promise.all(urls.map((url) => runLoad({ ...load, url }, seconds)));
  },
  stop: () => {},
});
