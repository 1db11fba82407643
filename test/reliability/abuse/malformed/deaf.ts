import { once } from "node:events";
import { connect, type Socket } from "node:net";

const large = Buffer.from("GET /api/reference HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(100));

/** Opens connections that request megabytes and never read the responses. `close` ends them. */
export const openDeaf = async (to: string, count: number): Promise<{ close(): void }> => {
  const { hostname, port } = new URL(to);
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {}); // the server is expected to end it
    socket.pause();
    await once(socket, "connect");
    socket.write(large);
    sockets.push(socket);
  }
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};
