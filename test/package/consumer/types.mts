import * as headgate from 'headgate'
import * as gate from 'headgate/gate'
import * as testing from 'headgate/testing'

export const entries = [headgate, gate, testing]
