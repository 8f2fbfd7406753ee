// Leaves the checks to whoever drives the page.
import * as headgate from 'headgate'
import * as gate from 'headgate/gate'
import * as testing from 'headgate/testing'
import * as planning from 'headgate/planning'
import { runChecks } from './checks.mjs'

globalThis.check = ({ names, ...setting }) =>
  runChecks(names, { ...setting, namespaces: { headgate, gate, testing, planning } })
