export {
  type HealthCheck,
  mountHealth,
  parseReadiness,
  type Readiness,
  readReadiness,
  type ToldReadiness,
} from "./health.ts";
export { defineService, type DefinedService } from "./define-service.ts";
export { listCurrent } from "./list-current.ts";
export type { EventConsumers, OperationChecks, OperationHandlers } from "./service-definition.ts";
export type { Connections } from "./connections.ts";
export type { Core, StoringCore } from "./core.ts";
export { finishStart } from "./finish-start.ts";
export { runMain, stopOnSignal } from "./run-main.ts";
export { StartError } from "./start-error.ts";
export { type RunningService, runService, type Service, type ServiceParts } from "./service.ts";
