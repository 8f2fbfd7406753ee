import type { Engine, IoredisClient } from '../../src/shared/index.ts'

export interface Watcher {
  /** The engine did not answer as it does when all is well. */
  fault: (kind: string) => void
  called: (tookMs: number) => void
}

/** A client that tells of every command that it could not carry out, whatever the engine makes of that. */
export function watchedClient(client: IoredisClient, fault: Watcher['fault']): IoredisClient {
  const told = (error: unknown): never => {
    const isUnknownScript = error instanceof Error && error.message.startsWith('NOSCRIPT')
    fault(isUnknownScript ? 'unknown script' : 'no answer')
    throw error
  }
  return {
    evalsha: (...args) => client.evalsha(...args).catch(told),
    eval: (...args) => client.eval(...args).catch(told),
    on: (event, listener) => client.on(event, listener),
  }
}

/** An engine that tells what became of every call: how long it took, and what its answer says of faults. */
export function watched(engine: Engine, { fault, called }: Watcher): Engine {
  let epoch = 0
  let members = 0
  let isLearning = false
  return {
    get connections() {
      return engine.connections ?? 0
    },
    ...(engine.subscribe && { subscribe: (hear) => engine.subscribe!(hear) }),
    async call(gate, call) {
      const calledAt = performance.now()
      try {
        const reply = await engine.call(gate, call)
        if (reply.late) fault('late')
        else {
          if (epoch !== 0 && reply.epoch !== epoch) fault('new memory')
          if (reply.members < members) fault('members gone')
          if (reply.learning && !isLearning) fault('learning')
          isLearning = reply.learning
          epoch = reply.epoch
          members = reply.members
        }
        return reply
      } finally {
        called(performance.now() - calledAt)
      }
    },
  }
}
