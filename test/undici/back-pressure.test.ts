import type { Dispatcher } from 'undici'
import { describe, expect, test } from 'vitest'
import { CallController } from '../../src/undici/controller.ts'
import { chunked, listenRaw, whole } from './raw-server.ts'
import { record } from './recorder.ts'
import { both, get, pause, setUpDispatcher } from './support.ts'

type Controller = Dispatcher.DispatchController

describe.each(both)('a handler that pauses, of %s', (version) => {
  test('at the headers is told nothing that has come until it resumes, and then all of it in order', async () => {
    const { origin } = await listenRaw((socket) => void socket.write(chunked([], ['one', 'two'], ['x-t: 1'])))
    const { dispatcher } = setUpDispatcher(version)
    let controller: Controller | undefined
    const { handler, told, done } = record({ headers: (given) => (controller = given).pause() })
    dispatcher.dispatch(get(origin), handler)
    await pause(100)
    expect(told.map(([hook]) => hook).slice(-1)).toEqual(['headers'])
    expect(controller?.paused).toBe(true)
    controller?.resume()
    await done
    expect(told.slice(-2)).toEqual([
      ['data', 'onetwo'],
      ['end', { 'x-t': '1' }, ['x-t', '1']],
    ])
  })

  test('at each chunk is told the next when it resumes', async () => {
    const { origin } = await listenRaw((socket) => void socket.write(chunked([], ['one', 'two', 'six'])))
    const { dispatcher } = setUpDispatcher(version)
    const paused: boolean[] = []
    const { handler, told, done } = record({
      data: (controller) => {
        paused.push(controller.paused)
        controller.pause()
        setTimeout(() => controller.resume(), 20)
      },
    })
    dispatcher.dispatch(get(origin), handler)
    await done
    expect(told.at(-2)).toEqual(['data', 'onetwosix'])
    expect(paused).toEqual([false, false, false])
  })

  test('and resumes at once gets all in order', async () => {
    const pieces = Array.from({ length: 50 }, (_, index) => `${index},`)
    const { origin } = await listenRaw((socket) => void socket.write(chunked([], pieces)))
    const { dispatcher } = setUpDispatcher(version)
    const nod = (controller: Controller): void => (controller.pause(), controller.resume())
    const { handler, told, done } = record({ headers: nod, data: nod })
    dispatcher.dispatch(get(origin), handler)
    await done
    expect(told.at(-2)).toEqual(['data', pieces.join('')])
    expect(told.filter(([hook]) => hook === 'end')).toHaveLength(1)
  })

  test('holds the server up, and little is kept', async () => {
    const block = Buffer.alloc(1 << 20)
    let written = 0
    const { origin } = await listenRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${64 * block.length}\r\n\r\n`)
      const next = (): void => {
        if (written === 64 || socket.destroyed) return
        written += 1
        socket.write(block, next)
      }
      next()
    })
    const { dispatcher } = setUpDispatcher(version)
    let controller: Controller | undefined
    let bytes = 0
    const { handler, done } = record({ headers: (given) => (controller = given).pause() })
    const counting = { ...handler, onResponseData: (_: Controller, chunk: Buffer) => void (bytes += chunk.length) }
    dispatcher.dispatch(get(origin), counting)
    await pause(300)
    expect([bytes, written < 32]).toEqual([0, true])
    controller?.resume()
    await done
    expect([bytes, written]).toEqual([64 * block.length, 64])
  })

  test('and aborts is told of no more than that, although all of it had come', async () => {
    const { origin } = await listenRaw((socket) => void socket.write(whole('200 OK', 'hello')))
    const { dispatcher } = setUpDispatcher(version, { concurrency: 1 })
    let controller: Controller | undefined
    const { handler, told, done } = record({ headers: (given) => (controller = given).pause() })
    dispatcher.dispatch(get(origin), handler)
    await pause(50)
    controller?.abort(new Error('enough'))
    await done
    controller?.resume()
    await pause(20)
    expect(told.at(-2)?.[0]).toBe('headers')
    expect(told.at(-1)).toEqual(['error', 'Error', undefined, 'enough', true])
  })

  test('is told at once of a connection that is lost', async () => {
    const { origin } = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello')
      setTimeout(() => socket.resetAndDestroy(), 50)
    })
    const { dispatcher } = setUpDispatcher(version)
    const { handler, told, done } = record({ headers: (controller) => controller.pause() })
    dispatcher.dispatch(get(origin), handler)
    await done
    expect(told.map(([hook]) => hook).slice(-2)).toEqual(['headers', 'error'])
  })

  test('while it waits at the gate is still paused when its response comes', async () => {
    const { origin } = await listenRaw((socket) => void socket.write(whole('200 OK', 'hello')))
    const { dispatcher } = setUpDispatcher(version, { limits: { limit: 1, windowMs: 100 }, transitMs: 0 })
    const first = record()
    dispatcher.dispatch(get(origin), first.handler)
    await first.done
    let controller: Controller | undefined
    const { handler, told, done } = record({ start: (given) => (controller = given as Controller).pause() })
    dispatcher.dispatch(get(origin), handler)
    await pause(250)
    expect(told.at(-1)?.[0]).toBe('headers')
    controller?.resume()
    await done
    expect(told.at(-1)?.[0]).toBe('end')
  })
})

describe.each(both)('a refusal as a response, of %s', (version) => {
  test('is told like any other, and is paused like any other', async () => {
    const { dispatcher, headgate } = setUpDispatcher(version, {
      limits: { limit: 1, windowMs: 60_000 },
      maxWaitMs: 10,
      refuseWith: 'response',
    })
    headgate.gate('http://127.0.0.1:1')?.tryAcquire()
    let controller: Controller | undefined
    const { handler, told, done } = record({ headers: (given) => (controller = given).pause() })
    dispatcher.dispatch(get('http://127.0.0.1:1'), handler)
    await pause(20)
    expect(told.map(([hook]) => hook)).toEqual(['start', 'headers'])
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '60' }
    expect(told[1]).toEqual(['headers', 503, headers, 'Service Unavailable', Object.entries(headers).flat()])
    controller?.resume()
    await done
    expect(told.map(([hook]) => hook)).toEqual(['start', 'headers', 'data', 'end'])
  })

  test('may be aborted', async () => {
    const { dispatcher, headgate } = setUpDispatcher(version, {
      limits: { limit: 1, windowMs: 60_000 },
      maxWaitMs: 10,
      refuseWith: 'response',
    })
    headgate.gate('http://127.0.0.1:1')?.tryAcquire()
    const { handler, told, done } = record({ headers: (controller) => controller.abort(new Error('enough')) })
    dispatcher.dispatch(get('http://127.0.0.1:1'), handler)
    await done
    await pause(10)
    expect(told.map(([hook]) => hook)).toEqual(['start', 'headers', 'error'])
    expect(told.at(-1)).toEqual(['error', 'Error', undefined, 'enough', true])
  })
})

describe('the controller of a call', () => {
  function followed(act: (controller: CallController) => void) {
    const heard: string[] = []
    const controller = new CallController({
      onAbort: (reason) => heard.push(`aborted: ${reason.message}`),
      onResume: () => heard.push('resumed'),
    })
    act(controller)
    const attempt = {
      aborted: false,
      paused: false,
      reason: null,
      abort: (reason: Error) => void heard.push(`abort ${reason.message}`),
      pause: () => void heard.push('pause'),
      resume: () => void heard.push('resume'),
    }
    controller.follow(attempt)
    return { controller, heard }
  }

  test.each<[string, (controller: CallController) => void, string[]]>([
    ['nothing', () => {}, []],
    ['a pause', (controller) => controller.pause(), ['pause']],
    ['a pause that is over', (controller) => (controller.pause(), controller.resume()), ['resumed']],
    ['an abort', (controller) => controller.abort(new Error('x')), ['aborted: x', 'abort x']],
    ['the first of two', (it) => (it.abort(new Error('x')), it.abort(new Error('y'))), ['aborted: x', 'abort x']],
  ])('tells the next attempt of %s', (_, act, expected) => {
    expect(followed(act).heard).toEqual(expected)
  })

  test('is aborted by its caller alone', () => {
    const { controller, heard } = followed(() => {})
    controller.endAttempt(new Error('given up'))
    expect([controller.aborted, controller.reason, heard]).toEqual([false, null, ['abort given up']])
  })
})
