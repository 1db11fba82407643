import { PostgresQueueBackend } from "bullmq";

/** Up to this many jobs are added by a statement each, because BullMQ's statement for several creates two temporary tables. */
const singleJobsMax = 8;

/** BullMQ's Postgres backend, which adds the jobs of a small batch one after the other. If one fails, those before it stay added. */
export class SmallBatchBackend extends PostgresQueueBackend {
  override async addJobs(
    entries: Parameters<PostgresQueueBackend["addJobs"]>[0],
  ): Promise<string[]> {
    if (entries.length > singleJobsMax) return super.addJobs(entries);
    const ids: string[] = [];
    for (const { job, jobId, parentKeyOpts } of entries)
      ids.push(await this.addJob(job, jobId, parentKeyOpts));
    return ids;
  }
}
