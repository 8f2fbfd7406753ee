// A worker that runs the checks for whoever posts a setting, and an object whose requests share one headgate.
import * as headgate from 'headgate'
import * as gate from 'headgate/gate'
import * as testing from 'headgate/testing'
import * as planning from 'headgate/planning'
import { runChecks } from './checks.mjs'

export class Pacer {
  headgate = headgate.createHeadgate({ default: { limits: { limit: 1, windowMs: 300 }, coldStartMs: 0 } })

  async fetch(request) {
    return this.headgate.fetch(await request.text())
  }
}

export default {
  async fetch(request, { PACER }) {
    const { names, ...setting } = await request.json()
    const share = async (url) => {
      const object = PACER.get(PACER.idFromName('one'))
      return (await object.fetch('https://object/', { method: 'POST', body: url })).text()
    }
    return Response.json(
      await runChecks(names, { ...setting, share, namespaces: { headgate, gate, testing, planning } }),
    )
  },
}
