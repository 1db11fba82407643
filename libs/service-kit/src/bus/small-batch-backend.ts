import { PostgresQueueBackend } from "bullmq";

/** Up to this many jobs are added by a statement each, because BullMQ's statement for several creates two temporary tables. */
const singleJobsMax = 8;
/** Far below the deadline of a call. After that, the rest shares a statement, because many round trips would miss the deadline. */
const singlesMilliseconds = 100;

/**
 * BullMQ's Postgres backend, which adds the jobs of a small batch one after the other, unless the store is slow. If one fails, those before
 * it stay added.
 */
export class SmallBatchBackend extends PostgresQueueBackend {
  override async addJobs(
    entries: Parameters<PostgresQueueBackend["addJobs"]>[0],
  ): Promise<string[]> {
    if (entries.length > singleJobsMax) return super.addJobs(entries);
    const ids: string[] = [];
    const startedAt = performance.now();
    for (const [index, { job, jobId, parentKeyOpts }] of entries.entries()) {
      if (performance.now() - startedAt > singlesMilliseconds)
        return [...ids, ...(await super.addJobs(entries.slice(index)))];
      ids.push(await this.addJob(job, jobId, parentKeyOpts));
    }
    return ids;
  }
}
