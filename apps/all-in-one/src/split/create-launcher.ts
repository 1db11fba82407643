import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from "./start-service-process.ts";

/** Starts processes that do not outlive this one. */
export interface Launcher {
  launch(options: ServiceProcessOptions): ServiceProcess;
  /** Releases the processes that have ended. */
  close(): void;
}

export const createLauncher = (): Launcher => {
  const running = new Set<ServiceProcess>();
  const killAll = () => {
    for (const launched of running) launched.kill();
  };
  process.on("exit", killAll);
  return {
    launch: (options) => {
      const launched = startServiceProcess(options);
      running.add(launched);
      void launched.ended.then(() => running.delete(launched));
      return launched;
    },
    close: () => {
      process.off("exit", killAll);
    },
  };
};
