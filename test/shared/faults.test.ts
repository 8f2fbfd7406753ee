import { expect, test } from 'vitest'
import { faultOf } from '../../src/shared/faults.ts'

test.each([
  ['WRONGPASS invalid username-password pair or user is disabled.', 'misconfigured', 'WRONGPASS'],
  ['NOAUTH Authentication required.', 'misconfigured', 'NOAUTH'],
  ["NOPERM User hg has no permissions to run the 'evalsha' command", 'misconfigured', 'NOPERM'],
  ['WRONGTYPE Operation against a key holding the wrong kind of value', 'misconfigured', 'WRONGTYPE'],
  ["CROSSSLOT Keys in request don't hash to the same slot", 'misconfigured', 'CROSSSLOT'],
  ['LOADING Redis is loading the dataset in memory', 'failed', 'LOADING'],
  ['BUSY Redis is busy running a script.', 'failed', 'BUSY'],
  ["READONLY You can't write against a read only replica.", 'failed', 'READONLY'],
  ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", 'failed', 'MASTERDOWN'],
  ['CLUSTERDOWN The cluster is down', 'failed', 'CLUSTERDOWN'],
  ["OOM command not allowed when used memory > 'maxmemory'.", 'failed', 'OOM'],
  ['MISCONF Redis is configured to save RDB snapshots', 'failed', 'MISCONF'],
  ['NOREPLICAS Not enough good replicas to write.', 'failed', 'NOREPLICAS'],
  ['TRYAGAIN Multiple keys request during rehashing of slot', 'failed', 'TRYAGAIN'],
  ['MOVED 3999 127.0.0.1:6381', 'failed', 'MOVED'],
  ['An error was signalled by the server: - WrongPass: WRONGPASS invalid', 'misconfigured', 'WRONGPASS'],
  ["ERR The user executing the script can't run this command or subcommand script: 104a", 'misconfigured', 'NOPERM'],
  ["ERR ACL failure in script: User hg has no permissions to run the 'time' command", 'misconfigured', 'NOPERM'],
  [
    "An error was signalled by the server: - PermissionDenied: this user has no permissions to run the 'info' command",
    'misconfigured',
    'NOPERM',
  ],
  ['An error was signalled by the server: - BusyLoadingError: loading the dataset in memory', 'failed', 'LOADING'],
  ['ERR unknown command', 'failed', 'ERR'],
  ['connect ECONNREFUSED 127.0.0.1:6379', 'unreachable', undefined],
  ['Connection is closed.', 'unreachable', undefined],
  ['', 'unreachable', undefined],
])('%s: %s', (message, fault, code) => {
  expect(faultOf(new Error(message))).toEqual(code ? { fault, code } : { fault })
})

test.each([[undefined], [null], [42], ['socket hang up'], [{}]])('%j, which is no error: unreachable', (error) => {
  expect(faultOf(error)).toEqual({ fault: 'unreachable' })
})
