import headgate = require('headgate')
import gate = require('headgate/gate')
import testing = require('headgate/testing')

export const entries = [headgate, gate, testing]
