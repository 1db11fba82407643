import { PostgresQueueBackend } from "bullmq";

/** With fewer jobs, separate statements cost the server less than the two temporary tables of a statement for many. */
const fewJobs = 8;

/** BullMQ's Postgres backend, which adds a few jobs one after the other. If one fails, those before it stay added. */
export class AddingBackend extends PostgresQueueBackend {
  override async addJobs(
    entries: Parameters<PostgresQueueBackend["addJobs"]>[0],
  ): Promise<string[]> {
    if (entries.length > fewJobs) return super.addJobs(entries);
    const ids: string[] = [];
    for (const { job, jobId, parentKeyOpts } of entries)
      ids.push(await this.addJob(job, jobId, parentKeyOpts));
    return ids;
  }
}
