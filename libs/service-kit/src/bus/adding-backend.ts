import { PostgresQueueBackend } from "bullmq";

/** For up to this many jobs, a statement for each costs the server less than the temporary tables of one statement for all. */
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
